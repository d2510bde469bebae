// Draining a queue works like applying a chunk: the same sizes, heartbeats and retries (rules/projecting.md#applying-a-queue).
import { MongoServerError } from 'mongodb';
import { StaleError } from '../../src/store/database-errors.ts';
import {
  pauseGeneration,
  resumeGeneration,
  TooManyParkedError,
} from '../../src/store/writing/parking-alarm.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import type { Draft } from '../histories/row-actions.ts';
import { account, payee, row } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { committing, killedAfter } from './committing.ts';
import { anotherClient, createPartitionScene, type PartitionScene } from './partition-scene.ts';

const mongo = useMongo(test);

const payees = (count: number, name = 'payee') =>
  Array.from({ length: count }, (_, n) => payee(`${name}-${n}`));

function story(...drafts: readonly Draft[]): LogEvent[] {
  return drafts.map(eventMaker('budget-1') as (draft: Draft) => LogEvent);
}

/** Leaves all events but the second in the queue, and that one next in the log. */
async function waiting(scene: PartitionScene, events: readonly LogEvent[]): Promise<void> {
  const [created, missing, ...rest] = events as [LogEvent, LogEvent];
  await scene.tell(created, ...rest);
  scene.eventLog.add(missing);
}

test('a long drain calls the heartbeat after each step, after a chunk and after a claim', async t => {
  for (const atClaim of [false, true]) {
    const scene = await createPartitionScene(mongo.database('drain'));
    await waiting(scene, story(CREATED, ...payees(5000)));
    const claimed = await scene.claim();
    let beats = 0;
    const heartbeat = async () => {
      beats += 1;
    };
    if (!atClaim) await scene.apply(claimed, scene.eventLog.records, { heartbeat });
    else {
      // Simulates a process that dies between the chunk and the drain.
      const store = killedAfter(scene.store, 1);
      const killed = { ...scene.context, store };
      await t.throwsAsync(scene.apply(claimed, scene.eventLog.records, { context: killed }));
      t.like(await scene.head('budget-1'), { sequence: 1, held: { queued: 5000 } });
      await scene.claim('another', heartbeat);
    }
    await scene.project();
    t.like(await scene.head('budget-1'), { sequence: 5001, held: null });
    t.true(beats >= 5, `${beats} heartbeats`);
  }
});

test('a pause stops a drain that is under way, and it goes on after the resume', async t => {
  const scene = await createPartitionScene(mongo.database('drain'));
  await waiting(scene, story(CREATED, ...payees(5000)));
  const claimed = await scene.claim();
  const { collections } = scene.store;
  let state: 'drains' | 'paused' | 'resumed' = 'drains';
  const store = committing(scene.store, async (writes, pass) => {
    await pass();
    if (writes.done.length === 0 || state !== 'drains') return;
    state = 'paused';
    await pauseGeneration(collections, new TooManyParkedError('many', [], 0));
  });
  const seen: unknown[] = [];
  const heartbeat = async () => {
    if (state !== 'paused') return;
    seen.push((await scene.head('budget-1'))?.sequence);
    if (seen.length < 3) return;
    state = 'resumed';
    await resumeGeneration(collections);
  };
  const context = { ...scene.context, store };
  await scene.apply(claimed, scene.eventLog.records, { heartbeat, context });
  t.is(new Set(seen).size, 1, String(seen));
  t.true(Number(seen[0]) < 5001);
  t.like(await scene.head('budget-1'), { sequence: 5001, held: null });
});

test('a big change in a long queue loads its rows twice, and then becomes a shadow set', async t => {
  const database = mongo.database('drain');
  const client = await anotherClient(mongo.url);
  t.teardown(() => client.close());
  const scene = await createPartitionScene(database, { client, rowsMax: 30 });
  const rows = Array.from({ length: 40 }, (_, n) => row(`row-${n}`));
  const renamed: Draft = { type: 'account.renamed', data: { accountId: 'home', name: 'New' } };
  const opened = [CREATED, account('home', true), ...rows];
  const events = story(
    ...opened,
    payee('missing'),
    ...payees(300),
    renamed,
    ...payees(600, 'late'),
  );
  const before = events.slice(0, opened.length);
  await scene.tell(...before, ...events.slice(opened.length + 1));
  const [missing] = events.slice(opened.length);
  scene.eventLog.add(missing ?? {});
  const claimed = await scene.claim();
  let loads = 0;
  client.on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'find' && command.limit === 31) loads += 1;
  });
  // A transaction that waits too long for a lock, as on a busy server, fails and is tried again.
  let failures = 0;
  client.on('commandFailed', () => {
    failures += 1;
  });
  await scene.apply(claimed, scene.eventLog.records);
  await scene.project();
  t.like(await scene.head('budget-1'), { sequence: events.length, held: null });
  const account1 = await scene.store.collections.accounts.findOne({ id: 'home' });
  t.is(account1?.name, 'New');
  t.true(loads >= 2 && loads <= 2 * (1 + failures), `${loads} loads, ${failures} failures`);
});

test('a step that fails repeatedly is retried in ever smaller parts', async t => {
  const scene = await createPartitionScene(mongo.database('drain'));
  await waiting(scene, story(CREATED, ...payees(900)));
  const claimed = await scene.claim();
  const sizes: number[] = [];
  // Simulates a transaction that takes longer than the server's limit.
  const store = committing(scene.store, async (writes, pass) => {
    sizes.push(writes.done.length);
    if (writes.done.length > 300) {
      const errorLabels = ['TransientTransactionError'];
      throw new MongoServerError({ message: 'NoSuchTransaction', code: 251, errorLabels });
    }
    await pass();
  });
  await scene.apply(claimed, scene.eventLog.records, { context: { ...scene.context, store } });
  t.like(await scene.head('budget-1'), { sequence: 901, held: null });
  t.deepEqual(sizes.slice(1, 4), [900, 500, 250]);
});

test('a big change is retried if another process changed its stream as it began', async t => {
  const scene = await createPartitionScene(mongo.database('drain'), { rowsMax: 30 });
  const renamed: Draft = { type: 'account.renamed', data: { accountId: 'home', name: 'New' } };
  const rows = Array.from({ length: 40 }, (_, n) => row(`row-${n}`));
  const events = story(CREATED, account('home', true), ...rows, payee('missing'), renamed);
  const [missing, big] = events.slice(-2) as [LogEvent, LogEvent];
  await scene.tell(...events.slice(0, -2), big);
  scene.eventLog.add(missing);
  const claimed = await scene.claim();
  let refused = 0;
  const store = committing(scene.store, async (writes, pass) => {
    if (writes.begunSets?.length && refused < 2) {
      refused += 1;
      throw new StaleError('A stream was changed by another process');
    }
    await pass();
  });
  await scene.apply(claimed, scene.eventLog.records, { context: { ...scene.context, store } });
  t.is(refused, 2);
  await scene.project();
  t.like(await scene.head('budget-1'), { sequence: events.length, held: null });
});

test('a member stays removed though the removal waits far behind the event that parks the stream', async t => {
  const scene = await createPartitionScene(mongo.database('drain'));
  const member = (type: 'space.member-added' | 'space.member-removed'): Draft => {
    return { type, data: { userId: 'anna' } };
  };
  const renamed: Draft = { type: 'space.renamed', data: { name: 'Home' } };
  const created: Draft = { type: 'space.created', data: { name: null } };
  const renames = Array.from({ length: 1200 }, () => renamed);
  const eventOf = eventMaker('space-1') as (draft: Draft) => LogEvent;
  const drafts = [created, renamed, member('space.member-added'), created, ...renames];
  await waiting(scene, [...drafts, member('space.member-removed')].map(eventOf));
  await scene.project();
  t.like(await scene.head('space-1'), { sequence: 3, held: { why: 'parked' } });
  t.deepEqual((await scene.head('space-1'))?.space?.members, []);
});
