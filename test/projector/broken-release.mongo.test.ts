// A release whose projections throw breaks many streams of a chunk: all of them are parked after two folds, however many
// they are, and the parking alarm's pause comes.
import type { ExecutionContext } from 'ava';
import type { CommandStartedEvent } from 'mongodb';
import { readPause } from '../../src/store/writing/parking-alarm.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import type { Draft } from '../histories/row-actions.ts';
import { account, payee, row } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { hand, pipelineOf } from './hand-over.ts';
import { anotherClient, createPartitionScene, type PartitionScene } from './partition-scene.ts';

const mongo = useMongo(test);

const CLEARED: Draft = { type: 'transaction.cleared', data: { transactionIds: ['row-1'] } };
const WHOLE = 'budget-whole';

interface Broken {
  readonly scene: PartitionScene;
  /** Hands over one chunk that breaks every stream but one, each of them twice. */
  breakAll(signal?: AbortSignal): Promise<unknown>;
  /** Returns how often a chunk was loaded. */
  loads(): number;
  /** Returns how many commands failed: on a busy server a transaction may wait too long for a lock, and is tried again. */
  failures(): number;
}

async function withBroken(t: ExecutionContext, streams: number): Promise<Broken> {
  const client = await anotherClient(mongo.url);
  t.teardown(() => client.close());
  const scene = await createPartitionScene(mongo.database('broken'), { client });
  const subjects = Array.from({ length: streams }, (_, index) => `budget-${index}`);
  const makers = [...subjects, WHOLE].map(subject => eventMaker(subject));
  const story = [CREATED, account('home', true), row('row-1')];
  await scene.tell(...makers.flatMap(eventOf => story.map(draft => eventOf(draft))));
  const { accounts, rows } = scene.store.collections;
  const whole = await scene.head(WHOLE);
  // Without the account of its row, a budget's projections throw.
  await accounts.deleteMany({ set: { $ne: whole?.set ?? '' } });
  const from = scene.eventLog.records.length;
  for (const draft of [CLEARED, payee('shop')]) {
    scene.eventLog.add(...makers.map(eventOf => eventOf(draft)));
  }
  let [loads, failures] = [0, 0];
  client.on('commandFailed', () => {
    failures += 1;
  });
  client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
    if (commandName === 'find' && command.find === rows.collectionName) loads += 1;
  });
  return {
    scene,
    loads: () => loads,
    failures: () => failures,
    async breakAll(signal) {
      const pipeline = await pipelineOf(scene);
      const count = scene.eventLog.records.length - from;
      const outcome = await hand(pipeline, scene, { from, count, ...(signal && { signal }) });
      await pipeline.leave();
      return outcome;
    },
  };
}

/** Many streams are loaded as often as few; each failure allows for one more fold, and a fold for two loads. */
function loadedAlike(t: ExecutionContext, few: Broken, many: Broken): void {
  const [less, more] = [few.loads(), many.loads()].sort((a, b) => a - b) as [number, number];
  t.true(less > 0);
  t.true(more - less <= 2 * (few.failures() + many.failures()), `${few.loads()}, ${many.loads()}`);
}

test('the streams that a chunk breaks are parked together', async t => {
  const [few, many] = [await withBroken(t, 2), await withBroken(t, 15)];
  for (const { breakAll, scene } of [few, many]) {
    t.is(await breakAll(), scene.eventLog.records.length);
  }
  loadedAlike(t, few, many);
  const { heads, waiting } = many.scene.store.collections;
  t.is(await heads.countDocuments({ 'held.why': 'parked', 'held.queued': 2 }), 15);
  t.is(await waiting.countDocuments(), 30);
  t.like(await many.scene.head(WHOLE), { sequence: 5, held: null });
  const reason = (await many.scene.head('budget-3'))?.held?.reason ?? '';
  t.regex(
    reason,
    /^The projections failed: Error: Row row-1 of an account that is not there: home/,
  );
});

test('a chunk that breaks too many streams pauses the generation after as many reads', async t => {
  const few = await withBroken(t, 2);
  await few.breakAll();
  const many = await withBroken(t, 60);
  const { breakAll, scene } = many;
  const stopping = new AbortController();
  const waiting = breakAll(stopping.signal);
  await eventually(t, async u => {
    const pause = await readPause(scene.store.collections);
    u.regex(pause?.reason ?? '', /^60 of 61 streams would have been parked/);
  });
  loadedAlike(t, few, many);
  stopping.abort();
  await waiting;
  t.is(await scene.store.collections.heads.countDocuments({ 'held.why': 'parked' }), 0);
});
