// Projects the same log once more, undisturbed, in this process: every stored document must be the same.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Db, Document } from 'mongodb';
import { ACCESS_DATABASE } from '../../src/access/connect.ts';
import { createDecisionLog } from '../../src/access/decisions.ts';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { createLogger } from '../../src/process/log.ts';
import { runProjector } from '../../src/projector/projector.ts';
import {
  createCollections,
  type GenerationCollections,
  generationCollections,
} from '../../src/store/collections.ts';
import { openCommitSession } from '../../src/store/writing/commit.ts';
import { dueQueues } from '../projector/due-queues.ts';
import { inOrder } from '../projector/test-store.ts';

const GENERATION = 'g1';
const GROUP = 'fresh';
/** Chunks of another size than live. */
const BATCH = { recordsMax: 700, bytesMax: 4_000_000 };
const FRESH_MS_MAX = 900_000;
const NAMED_MAX = 20;
/** Kinds that depend on the time and the owner of the projection. */
const NONDETERMINISTIC: ReadonlySet<keyof GenerationCollections> = new Set([
  'checkpoints',
  'alarms',
  // Noted beside the chunks, by whichever process is first.
  'nearTypes',
]);

/** @param database an empty one */
export async function projectFromScratch(
  database: Db,
  eventLog: EventLog,
): Promise<GenerationCollections> {
  const { client } = database;
  await createCollections(database, GENERATION);
  const collections = generationCollections(database, GENERATION);
  const decisions = createDecisionLog(client.db(ACCESS_DATABASE));
  const openStore = () => ({
    collections,
    decisions,
    // Without the alarm, because all parked streams of a long run are parked within a minute here.
    session: openCommitSession(client, collections, false),
  });
  const stopping = new AbortController();
  const options = {
    openStore,
    eventLog,
    group: GROUP,
    logger: createLogger('silent'),
    batch: BATCH,
  };
  const run = runProjector(options, stopping.signal);
  await Promise.race([run, caughtUp(collections, eventLog, FRESH_MS_MAX)]);
  stopping.abort();
  await run;
  return collections;
}

/** Resolves once every partition is applied to its end and no other work is in progress. */
export async function caughtUp(
  collections: GenerationCollections,
  eventLog: EventLog,
  msMax: number,
): Promise<void> {
  const { checkpoints, shadowSets, sweeps } = collections;
  const deadline = Date.now() + msMax;
  const partitions = await eventLog.partitions();
  for (;;) {
    const nexts = new Map((await checkpoints.find().toArray()).map(({ _id, next }) => [_id, next]));
    const behind: string[] = [];
    for (let partition = 0; partition < partitions; partition += 1) {
      const { end } = await eventLog.bounds(partition);
      const next = nexts.get(partition) ?? 0;
      if (next !== end) behind.push(`partition ${partition} is at ${next} of ${end}`);
    }
    const setsInProgress = (await shadowSets.countDocuments()) + (await sweeps.countDocuments());
    if (setsInProgress > 0) behind.push(`${setsInProgress} sets are being written or removed`);
    behind.push(...(await dueQueues(collections)));
    if (behind.length === 0) return;
    if (Date.now() > deadline) throw new Error(`No progress: ${behind.join(', ')}`);
    await sleep(200);
  }
}

/** Returns the first documents that differ. */
export async function differences(
  live: GenerationCollections,
  fresh: GenerationCollections,
): Promise<{ documents: number; named: string[] }> {
  const named: string[] = [];
  let documents = 0;
  for (const name of Object.keys(live) as (keyof GenerationCollections)[]) {
    if (NONDETERMINISTIC.has(name)) continue;
    const left = texts(live[name] as never);
    const right = texts(fresh[name] as never);
    for (let [a, b] = [await next(left), await next(right)]; a || b; ) {
      // Both sides are sorted by id, so the lesser id is missing on the other side.
      const isStored = a !== null && (b === null || a.id <= b.id);
      const isProjected = b !== null && (a === null || b.id <= a.id);
      documents += 1;
      if (!isStored || !isProjected || a?.text !== b?.text) {
        const [stored, projected] = [
          isStored ? a?.text : 'nothing',
          isProjected ? b?.text : 'nothing',
        ];
        named.push(`${name}: stored ${stored}, projected ${projected}`);
      }
      if (named.length >= NAMED_MAX) return { documents, named };
      if (isStored) a = await next(left);
      if (isProjected) b = await next(right);
    }
  }
  return { documents, named };
}

/** The id of a set that an operator had rebuilt has an ending of its own. */
const REBUILT_SET = /("\d+-\d+)\.[0-9a-f]{8}(?=[/"])/g;

interface Text {
  readonly id: string;
  readonly text: string;
}

async function next(documents: AsyncGenerator<Text>): Promise<Text | null> {
  const { value, done } = await documents.next();
  return done ? null : value;
}

async function* texts(collection: Collection<Document>): AsyncGenerator<Text> {
  const options = { promoteValues: false, sort: { _id: 1 } } as const;
  const found = collection.find({}, options);
  for await (const document of found) {
    const text = JSON.stringify(inOrder(document)).replaceAll(REBUILT_SET, '$1');
    yield { id: `"${document._id}`.replace(REBUILT_SET, '$1'), text };
  }
}
