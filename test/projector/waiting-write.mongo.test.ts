// While the shared transaction of a partition that is far behind is committed, the first part of the next one waits to
// be written. However the commit ends, the documents are those of chunks that are applied one after another.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { test } from '../helpers/file-test.ts';
import { row } from '../model/scene.ts';
import { eventMaker } from '../projections/story.ts';
import { useFailingMongo } from './failing-mongo.ts';
import { hand, pipelineOf, story } from './hand-over.ts';
import { holdCommits } from './held-commits.ts';
import type { PartitionScene, SceneOptions } from './partition-scene.ts';
import { handRest, LARGE, PATIENT_LIMITS, sharingIn, storedNext } from './sharing-scene.ts';
import { dump } from './test-store.ts';

const mongo = useFailingMongo(test);

// Serial, because fail points belong to the server.
const serially = test.serial;

const { sceneOf, undisturbed } = sharingIn(mongo);

/** Where the transaction of six parts begins and ends, and the end of the part that waits for its commit. */
const BEGIN = LARGE;
const END = BEGIN + 6 * LARGE;
const WAITING_END = END + LARGE;
const EVENTS = story(600);

/** How long the server takes for a commit once the test has let it go. */
const SLOWLY = { blockConnection: true, blockTimeMS: 500 };
/** Longer than a slow machine needs from one batch to the next. */
const IDLE_MS = 4000;
/** The driver tries a commit twice, and the projector repeats it twice where the outcome is unknown. */
const TRIES = 6;

/** Returns what changes a row that only the first batch after `BEGIN` touched. */
function changed(): object {
  return { ...row(`row-${BEGIN + 5}`).data, memo: 'Changed' };
}

/** Returns EVENTS with one more at an index. */
function eventsWith(index: number, type: string, data: object): object[] {
  const eventOf = eventMaker('budget-1');
  const drafts = EVENTS.map(({ type, data }) => ({ type, data }) as object);
  const all = [...drafts.slice(0, index), { type, data }, ...drafts.slice(index)];
  return all.map(draft => eventOf(draft as Parameters<typeof eventOf>[0]));
}

type Waiting = Awaited<ReturnType<typeof waiting>>;

/** Returns a pipeline at BEGIN. Unlike the one that created the budget, it has to look for rows in the store. */
async function secondPipeline(scene: PartitionScene) {
  const first = await pipelineOf(scene);
  await hand(first, scene, { from: 0, count: BEGIN });
  await first.leave();
  return await pipelineOf(scene);
}

/**
 * Returns a scene in which a transaction is being committed, and a part of the next one waits. The commit goes on, slowly,
 * with `release`.
 */
async function waiting(
  t: ExecutionContext,
  events: readonly object[] = EVENTS,
  { how = {}, options = {} }: { readonly how?: object; readonly options?: SceneOptions } = {},
) {
  const { scene, allow } = holdCommits(await sceneOf(events, options));
  const pipeline = await secondPipeline(scene);
  for (let from = BEGIN; from < END - LARGE; from += LARGE)
    await hand(pipeline, scene, { from, count: LARGE });
  await mongo.fail(TRIES, ['commitTransaction'], { ...SLOWLY, ...how });
  allow(0);
  for (const from of [END - LARGE, END])
    t.is(await hand(pipeline, scene, { from, count: LARGE }), from + LARGE);
  t.is(pipeline.phase, 'sharing');
  t.is(await storedNext(scene), BEGIN, 'the commit is under way');
  const release = () => allow(Number.POSITIVE_INFINITY);
  return { scene, pipeline, release };
}

/** Hands over batches until one has another outcome than the end of the batch; returns that. */
async function outcomeFrom({ scene, pipeline, release }: Waiting, from: number) {
  release();
  for (let next = from; ; next += LARGE) {
    const outcome = await hand(pipeline, scene, { from: next, count: LARGE });
    if (outcome !== next + LARGE) return outcome;
  }
}

async function endsWell(t: ExecutionContext, { scene, pipeline, release }: Waiting, from: number) {
  release();
  await handRest(pipeline, scene, from);
  const events = scene.eventLog.records.map(({ value }) => JSON.parse(String(value)));
  t.deepEqual(await dump(scene.store), await undisturbed(events));
}

serially('both are written, one after the other', async t => {
  await endsWell(t, await waiting(t), WAITING_END);
});

serially('a partition that is given back waits for both', async t => {
  const { scene, pipeline, release } = await waiting(t);
  release();
  await pipeline.leave();
  t.is(await storedNext(scene), WAITING_END);
  t.is((await scene.claim('another')).next, WAITING_END);
});

serially('a commit that fails takes back the part that waits for it', async t => {
  const waits = await waiting(t, EVENTS, { how: { errorCode: 10107 } });
  t.is(await outcomeFrom(waits, WAITING_END), BEGIN);
  await mongo.heal();
  t.is(await storedNext(waits.scene), BEGIN);
  await endsWell(t, waits, BEGIN);
});

serially(
  'a commit whose answer got lost stays, and the part that waited is folded again',
  async t => {
    const writeConcernError = { code: 64, errmsg: 'waiting for replication timed out' };
    const waits = await waiting(t, EVENTS, { how: { writeConcernError } });
    t.is(await outcomeFrom(waits, WAITING_END), END);
    await mongo.heal();
    t.is(await storedNext(waits.scene), END);
    await endsWell(t, waits, END);
  },
);

serially('a load that fails waits for the commit, and drops the part', async t => {
  const waits = await waiting(t);
  const { namespace } = waits.scene.store.collections.rows;
  // The driver tries a read twice.
  await mongo.fail(2, ['find'], { errorCode: 10107, namespace });
  t.is(await outcomeFrom(waits, WAITING_END), END);
  t.is(await storedNext(waits.scene), END);
  await endsWell(t, waits, END);
});

serially('a search for rows waits for both', async t => {
  const renamed = { accountId: 'home', name: 'Villa' };
  const events = eventsWith(WAITING_END + 10, 'account.renamed', renamed);
  const waits = await waiting(t, events);
  waits.release();
  await hand(waits.pipeline, waits.scene, { from: WAITING_END, count: LARGE });
  t.is(await storedNext(waits.scene), WAITING_END);
  await endsWell(t, waits, WAITING_END + LARGE);
});

serially(
  'rows of a slow commit stay in memory, also when no record follows for a while',
  async t => {
    const events = eventsWith(WAITING_END + 10, 'transaction.changed', changed());
    const sharing = { ...PATIENT_LIMITS, idleMsMax: IDLE_MS };
    const waits = await waiting(t, events, { options: { sharing } });
    // The open transaction would end now, and the cache would forget the rows of the one before.
    await sleep(1.1 * IDLE_MS);
    await endsWell(t, waits, WAITING_END);
  },
);

serially('a chunk with a transaction of its own waits for the one before', async t => {
  const sharing = { ...PATIENT_LIMITS, partsMax: 1 };
  const events = eventsWith(BEGIN + 2 * LARGE + 10, 'transaction.changed', changed());
  const { scene, allow } = holdCommits(await sceneOf(events, { sharing }));
  const pipeline = await secondPipeline(scene);
  await mongo.fail(1, ['commitTransaction'], SLOWLY);
  allow(1);
  for (const from of [BEGIN, BEGIN + LARGE]) await hand(pipeline, scene, { from, count: LARGE });
  t.is(await storedNext(scene), BEGIN + LARGE);
  const release = () => allow(Number.POSITIVE_INFINITY);
  await endsWell(t, { scene, pipeline, release }, BEGIN + 2 * LARGE);
});

serially('another owner fences the part that waits', async t => {
  const waits = await waiting(t);
  const { next } = (await waits.scene.take('another')).claim;
  t.true([BEGIN, END, WAITING_END].includes(next), `${next}`);
  let outcome = await outcomeFrom(waits, WAITING_END);
  if (typeof outcome === 'number') outcome = await outcomeFrom(waits, outcome);
  t.is(outcome, 'lost');
  t.is(await storedNext(waits.scene), next);
});
