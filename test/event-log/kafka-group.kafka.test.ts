// How a group distributes partitions, takes them over and releases them, and what ends a subscription.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import anyTest, { type ExecutionContext } from 'ava';
import type { Batch, EventLog, Subscriber } from '../../src/event-log/event-log.ts';
import {
  administer,
  deleteRecords,
  kafkaTest,
  type TestKafka,
  topicName,
  useKafka,
} from '../helpers/kafka.ts';
import { createFencedStore, type FencedStore } from './fenced-store.ts';
import type { Question } from './kafka-follower-process.ts';
import { openForTest } from './kafka-log-under-test.ts';
import { following, LIMITS, readAll, record, records, until, valuesOf } from './log-under-test.ts';

let kafka: TestKafka;
anyTest.before(async () => {
  kafka = await useKafka();
});
anyTest.after.always(() => kafka?.stop());
const test = kafkaTest(anyTest);

/** The session of followers that are killed or stopped; their partitions are free afterwards. */
const SESSION_MS = 4000;
const PARTITIONS = 4;

function open(t: ExecutionContext, topic: string, more: object = {}): Promise<EventLog> {
  return openForTest(t, topic, { config: kafka.config, partitions: PARTITIONS, ...more });
}

function follow(t: ExecutionContext, eventLog: EventLog, subscriber: Subscriber) {
  const controller = new AbortController();
  const run = eventLog.subscribe(subscriber, {
    group: 'group',
    limits: LIMITS,
    signal: controller.signal,
  });
  run.catch(() => {});
  const stop = () => {
    controller.abort();
    return run;
  };
  t.teardown(() => stop().catch(() => {}));
  return { stop, run };
}

/** A subscriber in another process; its store is in this one. */
function forkFollower(t: ExecutionContext, topic: string, store: FencedStore): ChildProcess {
  const file = new URL('./kafka-follower-process.js', import.meta.url);
  const args = [kafka.config.brokers.join(','), topic, 'group', String(SESSION_MS)];
  const child = fork(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.on('message', ({ number, question }: { number: number; question: Question }) => {
    const answer =
      question.ask === 'claim'
        ? store.claim('child', question.partition)
        : store.apply('child', question.claimed, question);
    child.send({ number, answer });
  });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

/** Checks that every record was applied once, in the order of the log. */
async function assertExact(
  t: ExecutionContext,
  eventLog: EventLog,
  store: FencedStore,
): Promise<void> {
  const read = await readAll(eventLog);
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    const expected = read.filter(one => one.partition === partition).map(({ value }) => value);
    t.deepEqual(store.applied.get(partition) ?? [], expected);
  }
}

test('two subscribers share the partitions, and the remaining one takes over at once', async t => {
  const topic = topicName();
  const eventLog = await open(t, topic, { writer: true });
  const store = createFencedStore();
  const first = follow(t, eventLog, store.subscriber('first'));
  await eventLog.append(records(100));
  await until(() => store.count() === 100, 'the first alone has applied all');
  follow(t, await open(t, topic), store.subscriber('second'));
  const owners = () => new Set([0, 1, 2, 3].map(store.owner));
  await until(() => owners().size === 2, 'the second has some of them');
  for (let n = 100; n < 300; n += 50) await eventLog.append(records(50, n));
  await until(() => store.count() === 300, 'both have applied all');
  await first.stop();
  await eventLog.append(records(50, 300));
  await until(() => store.count() === 350, 'the second has applied the rest');
  t.deepEqual([...owners()], ['second']);
  await assertExact(t, eventLog, store);
});

test('a rebalance does not disturb a partition that stays with its owner', async t => {
  const topic = topicName();
  const eventLog = await open(t, topic, { writer: true });
  const store = createFencedStore();
  follow(t, eventLog, store.subscriber('first'));
  await until(() => store.claims.length === PARTITIONS, 'the first has them all');
  follow(t, await open(t, topic), store.subscriber('second'));
  await until(() => store.claims.length === PARTITIONS + 2, 'the second has two');
  await eventLog.append(records(100));
  await until(() => store.count() === 100, 'all are applied');
  t.is(store.claims.filter(({ who }) => who === 'first').length, PARTITIONS);
  t.deepEqual(store.fenced, []);
});

test('another process takes over the partitions of a killed one', async t => {
  const topic = topicName();
  const eventLog = await open(t, topic, { writer: true });
  const store = createFencedStore();
  const child = forkFollower(t, topic, store);
  await eventLog.append(records(100));
  await until(() => store.count() === 100, 'the child has applied all');
  child.kill('SIGKILL');
  await eventLog.append(records(100, 100));
  follow(t, eventLog, store.subscriber('heir'));
  await until(() => store.count() === 200, 'the heir has applied the rest');
  await assertExact(t, eventLog, store);
});

test('a process that was stopped beyond its session delivers no records of partitions that others own by then', async t => {
  const topic = topicName();
  const eventLog = await open(t, topic, { writer: true });
  const store = createFencedStore();
  const child = forkFollower(t, topic, store);
  await eventLog.append(records(20));
  await until(() => store.count() === 20, 'the child has applied all');
  child.kill('SIGSTOP');
  // The broker answers its fetches, but the process cannot read the answers.
  await eventLog.append(records(100, 20));
  follow(t, eventLog, store.subscriber('heir'));
  await until(() => store.count() === 120, 'the heir has applied all');
  child.kill('SIGCONT');
  await until(() => new Set([0, 1, 2, 3].map(store.owner)).size === 2, 'the child is back');
  await eventLog.append(records(100, 120));
  await until(() => store.count() === 220, 'both have applied all');
  t.deepEqual(store.fenced, []);
  await assertExact(t, eventLog, store);
});

test('a partition that turns out to be lost is claimed again, and the others continue', async t => {
  const topic = topicName();
  const eventLog = await open(t, topic, { writer: true });
  const store = createFencedStore();
  follow(t, eventLog, store.subscriber('here'));
  await eventLog.append(records(50));
  await until(() => store.count() === 50, 'all are applied');
  // A process outside the group claims a partition.
  store.claim('thief', 2);
  await eventLog.append(records(100, 50));
  await until(() => store.count() === 150, 'all are applied');
  t.deepEqual(
    store.fenced.map(({ partition }) => partition),
    [2],
  );
  t.is(store.claims.filter(({ who }) => who === 'here').length, PARTITIONS + 1);
  await assertExact(t, eventLog, store);
});

test('a partition that is halted, at its claim or at a batch, delivers nothing more', async t => {
  const topic = topicName();
  const eventLog = await open(t, topic, { writer: true });
  const got: number[] = [];
  const revoked: number[] = [];
  follow(t, eventLog, {
    assigned: async partition => (partition === 0 ? null : 0),
    batch: async ({ partition, to }) => {
      got.push(partition);
      return partition === 1 ? 'halt' : to;
    },
    revoked: async partition => {
      revoked.push(partition);
    },
  });
  for (let n = 0; n < 90; n += 30) {
    await eventLog.append(Array.from({ length: 30 }, (_, i) => record(`budget-${i}`, n + i)));
    await until(
      () => got.filter(partition => partition === 3).length > n / 30,
      'some have arrived',
    );
  }
  t.false(got.includes(0));
  t.is(got.filter(partition => partition === 1).length, 1);
  t.deepEqual(revoked, [1]);
});

test('an offset that the log no longer holds leads to a new claim, never to a jump', async t => {
  const topic = topicName();
  const eventLog = await open(t, topic, { partitions: 1, writer: true });
  await eventLog.append(records(20));
  await deleteRecords(kafka.config, { topic, partition: 0, before: 8 });
  const calls: string[] = [];
  follow(t, eventLog, {
    assigned: async () => {
      const { start } = await eventLog.bounds(0);
      calls.push(`start ${start}`);
      return calls.length > 4 ? null : 5;
    },
    batch: async ({ from, to }) => {
      calls.push(`batch ${from}`);
      return to;
    },
    revoked: async () => {
      calls.push('revoked');
    },
  });
  await until(() => calls.length === 5, 'three claims have taken place');
  await delay(300);
  t.deepEqual(calls, ['start 8', 'revoked', 'start 8', 'revoked', 'start 8']);
});

test("the subscriber's offset counts, not the one that the group stores for lag tools", async t => {
  const topic = topicName();
  const eventLog = await open(t, topic, { partitions: 1, writer: true });
  await eventLog.append(records(30));
  const { end } = await eventLog.bounds(0);
  const first = following(eventLog, 'hints');
  await until(() => first.batches.at(-1)?.to === end, 'all have arrived');
  await first.stop();
  const offsets = await administer(kafka.config, admin =>
    admin.fetchOffsets({ groupId: `${topic}.hints`, topics: [topic] }),
  );
  t.is(offsets[0]?.partitions[0]?.offset, String(end));
  const again = following(eventLog, 'hints', { from: () => 10 });
  await until(() => again.values().length >= 20, 'the last twenty have arrived again');
  await again.stop();
  t.deepEqual(again.values(), valuesOf(records(30)).slice(10));
});

test('a batch that stalls without a heartbeat ends the subscription', async t => {
  const topic = topicName();
  // The watchdog covers the group too, so the group must form sooner.
  const eventLog = await open(t, topic, { partitions: 1, writer: true, stallMsMax: 8000 });
  await eventLog.append(records(10));
  const signals: AbortSignal[] = [];
  const stuck = follow(t, eventLog, {
    assigned: async () => 0,
    batch: ({ signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    },
    revoked: async () => {},
  });
  await t.throwsAsync(stuck.run, {
    message: /^Partition 0 of topic .* made no progress for 8 s/,
  });
  t.true(signals[0]?.aborted);
});

/** By then a subscription without progress has ended, with a `stallMsMax` of eight seconds. */
const ENDED_MS = 12_000;

test('a batch that waits and sends heartbeats is not ended, nor is an idle log', async t => {
  const topic = topicName();
  const eventLog = await open(t, topic, { partitions: 1, writer: true, stallMsMax: 8000 });
  await eventLog.append(records(10));
  const done = new AbortController();
  const waiting = follow(t, eventLog, {
    assigned: async () => 0,
    batch: async ({ heartbeat, to }: Batch) => {
      for (let ms = 0; ms < ENDED_MS; ms += 100) {
        await heartbeat();
        await delay(100);
      }
      done.abort();
      return to;
    },
    revoked: async () => {},
  });
  await Promise.race([once(done.signal, 'abort'), waiting.run]);
  await Promise.race([delay(ENDED_MS), waiting.run]);
  await waiting.stop();
  t.pass();
});

test('a consumer that cannot continue ends the subscription', async t => {
  // The broker refuses such a session for ever.
  const eventLog = await open(t, topicName(), { partitions: 1, sessionTimeoutMs: 100 });
  await t.throwsAsync(following(eventLog, 'refused').ended, { message: /session timeout/ });
});
