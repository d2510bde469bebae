// A chunk is bounded in streams and in documents while it loads, and so is a transaction that chunks share. The documents
// stay the same.
import { createChunkCache } from '../../src/projector/fold/cache.ts';
import type { ChunkLimits } from '../../src/projector/fold/fold-deliveries.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import type { Draft } from '../histories/row-actions.ts';
import { account, row } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker, FURNISHED } from '../projections/story.ts';
import { applyChunk } from './apply-chunk.ts';
import { hand, pipelineOf } from './hand-over.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';
import { LARGE, PATIENT_LIMITS, storedNext } from './sharing-scene.ts';
import { dump } from './test-store.ts';

const mongo = useMongo(test);

/** Returns the events of some budgets, one of each budget in turn. */
function inTurn(budgets: number, drafts: readonly Draft[]): LogEvent[] {
  const makers = Array.from({ length: budgets }, (_, index) => eventMaker(`budget-${index}`));
  return drafts.flatMap(draft => makers.map(eventOf => eventOf(draft)));
}

/** Applies everything in the log as one chunk, again and again; returns the number of records of each. */
async function applyAll(
  { store, claim, eventLog }: PartitionScene,
  limits: ChunkLimits,
): Promise<{ sizes: number[]; rowsMax: number; streamsMax: number }> {
  const cache = createChunkCache();
  const sizes: number[] = [];
  let [rowsMax, streamsMax] = [0, 0];
  for (let current = await claim(); current.next < eventLog.records.length; ) {
    const chunk = { records: eventLog.records.slice(current.next), next: eventLog.records.length };
    const applied = await applyChunk(store, chunk, { claim: current, limits, cache });
    sizes.push(applied.next - current.next);
    rowsMax = Math.max(rowsMax, cache.documents.all('rows', '0-0').length);
    streamsMax = Math.max(streamsMax, cache.heads.size);
    current = { ...current, next: applied.next, fingerprints: applied.fingerprints };
    cache.clear();
  }
  return { sizes, rowsMax, streamsMax };
}

test('one event each of some thousand budgets is cut at the bound of streams', async t => {
  const scene = await createPartitionScene(mongo.database('streams'));
  scene.eventLog.add(...inTurn(4500, [CREATED]));
  const { sizes, streamsMax } = await applyAll(scene, { rowsMax: 20_000 });
  t.deepEqual(sizes, [2000, 2000, 500]);
  t.is(streamsMax, 2000);
  t.is(await scene.store.collections.heads.countDocuments({ sequence: 1 }), 4500);
});

test('named rows are counted before they are loaded', async t => {
  const names = (event: number) => Array.from({ length: 40 }, (_, index) => `of-${event}-${index}`);
  const clears = Array.from({ length: 7 }, (_, event): Draft => {
    return { type: 'transaction.cleared', data: { transactionIds: names(event) } };
  });
  const rows = clears.flatMap((_, event) => names(event).map(id => row(id)));
  const dumps: string[][] = [];
  for (const [declaredMax, expected] of [
    [85, [3, 3, 1]],
    [20_000, [7]],
  ] as const) {
    const scene = await createPartitionScene(mongo.database('rows'));
    const events = inTurn(1, [...FURNISHED, ...rows, ...clears]);
    await scene.tell(...events.slice(0, -clears.length));
    scene.eventLog.add(...events.slice(-clears.length));
    const { sizes, rowsMax } = await applyAll(scene, { rowsMax: 20_000, declaredMax });
    t.deepEqual(sizes, expected);
    t.is(rowsMax, 40 * Math.max(...expected));
    dumps.push(await dump(scene.store));
  }
  t.deepEqual(dumps[0], dumps[1]);
});

test('a queue that names too many rows is drained in steps', async t => {
  const scene = await createPartitionScene(mongo.database('queue'));
  const { context, store, eventLog } = scene;
  const clear = (id: string): Draft => ({
    type: 'transaction.cleared',
    data: { transactionIds: [id, 'row-1'] },
  });
  const ids = Array.from({ length: 9 }, (_, index) => `r-${index}`);
  const [first, ...later] = inTurn(1, [...FURNISHED, ...ids.map(id => row(id)), ...ids.map(clear)]);
  if (!first) throw new Error('Expected events');
  await scene.tell(...later);
  t.is((await scene.queue('budget-1')).length, 0);
  t.is((await scene.queue('budget-0')).length, later.length);
  eventLog.add(first);
  const limits = { rowsMax: 20_000, declaredMax: 2 };
  const claimed = await scene.claim();
  await scene.apply(claimed, eventLog.records.slice(claimed.next), {
    context: { ...context, limits },
  });
  t.like(await scene.head('budget-0'), { held: null, sequence: later.length + 1 });
  t.is(await store.collections.waiting.countDocuments(), 0);
});

for (const bound of ['streamsMax', 'documentsMax'] as const) {
  test(`a transaction with too much in memory accepts no further part (${bound})`, async t => {
    const scene = await createPartitionScene(mongo.database('shared'), {
      sharing: { ...PATIENT_LIMITS, [bound]: LARGE },
    });
    // Two events and one document of each budget.
    const budgets = Array.from({ length: 2 * LARGE }, (_, index) => eventMaker(`budget-${index}`));
    scene.eventLog.add(
      ...budgets.flatMap(eventOf => [eventOf(CREATED), eventOf(account('home', true))]),
    );
    const pipeline = await pipelineOf(scene);
    await hand(pipeline, scene, { from: 0, count: LARGE });
    t.is(pipeline.phase, 'sharing');
    await hand(pipeline, scene, { from: LARGE, count: LARGE });
    t.not(pipeline.phase, 'sharing');
    await pipeline.leave();
    t.is(await storedNext(scene), 2 * LARGE);
  });
}
