// A commit whose every answer is lost may still take place, at any later time: also while its chunk is folded again, or
// while the chunk after it is folded. Each event counts once all the same (rules/projecting.md#unknown-outcomes).
import type { ExecutionContext } from 'ava';
import { MongoClient } from 'mongodb';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { account, row } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { type CommitHolder, startCommitHolder } from './commit-holder.ts';
import { hand, pipelineOf } from './hand-over.ts';
import { createPartitionScene } from './partition-scene.ts';
import { dump } from './test-store.ts';

const mongo = useMongo(test);

let holder: CommitHolder;
let client: MongoClient;

test.before(async () => {
  holder = await startCommitHolder(mongo.url);
  client = await new MongoClient(holder.url).connect();
});

mongo.beforeStop(async () => {
  await client.close();
  holder.stop();
});

// Serial, because they share one network.
const serially = test.serial;

const CHANGED = { ...row('row-1').data, memo: 'Changed' };

/** The chunk of `row-1` is the one whose commit comes late. */
const BEFORE = [CREATED, account('home', true), row('row-0')];
const LATE = row('row-1');

function eventsOf(...after: readonly object[]): LogEvent[] {
  const eventOf = eventMaker('budget-1');
  return [...BEFORE, LATE, ...after].map(draft => eventOf(draft as Parameters<typeof eventOf>[0]));
}

/** Returns a pipeline that is about to be handed the late chunk, of a log that goes on. */
async function begun(events: readonly LogEvent[]) {
  const scene = await createPartitionScene(mongo.database('late'), { client });
  for (const event of events) scene.eventLog.add(event);
  const pipeline = await pipelineOf(scene);
  await hand(pipeline, scene, { from: 0, count: BEFORE.length });
  await pipeline.leave();
  return { scene, pipeline: await pipelineOf(scene) };
}

type Begun = Awaited<ReturnType<typeof begun>>;

async function endsWell(t: ExecutionContext, { scene, pipeline }: Begun, from: number) {
  const { length } = scene.eventLog.records;
  for (let next = from; next < length; ) {
    const outcome = await hand(pipeline, scene, { from: next, count: 1 });
    if (typeof outcome !== 'number') return t.fail(`The outcome is ${outcome}`);
    next = outcome;
  }
  await pipeline.leave();
  t.true(holder.hasLanded());
  t.like(await scene.head('budget-1'), { sequence: length, held: null });
  const undisturbed = await createPartitionScene(mongo.database('undisturbed'));
  await undisturbed.tell(...scene.eventLog.records.map(({ value }) => JSON.parse(String(value))));
  t.deepEqual(await dump(scene.store), await dump(undisturbed.store));
}

for (const collection of ['heads', 'rows', 'accounts', 'years']) {
  serially(`the late commit lands before the refold reads ${collection}`, async t => {
    const { scene, pipeline } = await begun(eventsOf(row('row-2')));
    holder.holdCommit({ untilFindIn: collection });
    // More follows, so the next batch finds out that the commit failed.
    await hand(pipeline, scene, { from: 3, count: 1 });
    await endsWell(t, { scene, pipeline }, 4);
  });
}

for (const [title, draft] of [
  ['changes a row of it', { type: 'transaction.changed', data: CHANGED }],
  [
    'searches for its rows',
    { type: 'account.renamed', data: { accountId: 'home', name: 'Villa' } },
  ],
] as const) {
  serially(`the late commit lands once the next chunk is folded, which ${title}`, async t => {
    const { scene, pipeline } = await begun(eventsOf(draft, row('row-2')));
    holder.holdCommit({ untilFindIn: 'checkpoints' });
    await hand(pipeline, scene, { from: 3, count: 1 });
    // Between two chunks the cache forgets rows.
    await eventually(t, async u => {
      u.is(pipeline.phase, 'idle');
    });
    await endsWell(t, { scene, pipeline }, 4);
  });
}

serially('the late commit closes a gap, and the queue is drained', async t => {
  const events = eventsOf(row('row-2'), row('row-3'), row('row-4'));
  const { scene, pipeline } = await begun([...events.slice(0, 5), ...events.slice(5).reverse()]);
  // The chunk that is folded again has half the records, and ends before the gap; its head is loaded before.
  holder.holdCommit({ untilFindIn: 'rows' });
  const next = await hand(pipeline, scene, { from: 3, count: 4 });
  t.is(next, events.length);
  await endsWell(t, { scene, pipeline }, events.length);
});
