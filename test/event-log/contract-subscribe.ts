// The part of the contract (contract.ts) about subscriptions.
import { setTimeout as delay } from 'node:timers/promises';
import type { TestFn } from 'ava';
import type { Batch } from '../../src/event-log/event-log.ts';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import {
  type CreateLog,
  following,
  LIMITS,
  record,
  records,
  records30,
  sorted,
  until,
  valuesOf,
} from './log-under-test.ts';

export function subscribeTests(test: TestFn, createLogger: CreateLog): void {
  test('a subscription delivers the records of the log, in order, in batches within the limits', async t => {
    const tested = await createLogger(t);
    const eventLog = await tested.open('writer');
    await eventLog.append(records(300));
    const follower = following(eventLog, 'all', { limits: { recordsMax: 7, bytesMax: 150 } });
    await until(() => follower.values().length === 300, 'all have arrived');
    await follower.stop();
    t.deepEqual(sorted(follower.values()), sorted(valuesOf(records(300))));
    const next = new Map<number, number>();
    for (const { partition, records: batch, bounds } of follower.batches) {
      t.true(batch.length >= 1 && batch.length <= 7);
      const bytes = batch.reduce((sum, one) => sum + (one.value?.length ?? 0), 0);
      t.true(batch.length === 1 || bytes <= 150);
      for (const one of batch) {
        t.is(one.partition, partition);
        t.true(one.offset >= (next.get(partition) ?? bounds.start) && one.offset < bounds.end);
        next.set(partition, one.offset + 1);
      }
    }
    t.deepEqual(
      sorted(follower.revoked.map(String)),
      [...Array(tested.partitions).keys()].map(String),
    );
  });

  test("a subscription starts at the subscriber's offset", async t => {
    const eventLog = await (await createLogger(t)).open('writer');
    const places = await eventLog.append(
      Array.from({ length: 30 }, (_, n) => record('budget-1', n)),
    );
    const place = places[20];
    const follower = following(eventLog, 'middle', {
      from: partition => (partition === place?.partition ? place.offset : 0),
    });
    await until(() => follower.values().length >= 10, 'the last ten have arrived');
    await follower.stop();
    t.deepEqual(follower.values(), valuesOf(records30().slice(20)));
  });

  test('the log continues at the offset that a batch returns, even an earlier one', async t => {
    const eventLog = await (await createLogger(t)).open('writer');
    const places = await eventLog.append(records30());
    const offsets = places.map(place => place.offset);
    const seen: number[] = [];
    const controller = new AbortController();
    let again = true;
    const subscriber = {
      assigned: async () => 0,
      batch: async (batch: Batch) => {
        seen.push(...batch.records.map(one => one.offset));
        const last = batch.records.at(-1)?.offset;
        if (seen.length >= 40) controller.abort();
        if (last !== offsets[29] || !again) return batch.to;
        again = false;
        return offsets[20] ?? 0;
      },
      revoked: async () => {},
    };
    await eventLog.subscribe(subscriber, {
      group: 'back',
      limits: LIMITS,
      signal: controller.signal,
    });
    t.deepEqual(seen, [...offsets, ...offsets.slice(20)]);
  });

  test('a partition has one batch at a time, and a stop waits for it', async t => {
    const tested = await createLogger(t);
    const eventLog = await tested.open('writer');
    await eventLog.append(records(200));
    const busy = new Set<number>();
    const events: string[] = [];
    const controller = new AbortController();
    const subscriber = {
      assigned: async () => 0,
      batch: async ({ partition, to }: Batch) => {
        t.false(busy.has(partition));
        busy.add(partition);
        if (events.push('begin') > 6) controller.abort();
        await delay(30);
        busy.delete(partition);
        events.push('end');
        return to;
      },
      revoked: async (partition: number) => {
        t.false(busy.has(partition));
        events.push('revoked');
      },
    };
    const limits = { recordsMax: 3, bytesMax: 1_000_000 };
    await eventLog.subscribe(subscriber, { group: 'busy', limits, signal: controller.signal });
    t.is(busy.size, 0);
    const count = (what: string) => events.filter(event => event === what).length;
    t.is(count('begin'), count('end'));
    t.is(count('revoked'), tested.partitions);
  });

  test('a partition is read when its subscriber is ready for more', async t => {
    const tested = await createLogger(t);
    const eventLog = await tested.open('writer');
    await eventLog.append(records(60));
    const controller = new AbortController();
    const { signal } = controller;
    const ready = new Set<number>();
    let [asked, delivered] = [0, 0];
    const subscriber = {
      assigned: async () => 0,
      ready: async (partition: number, waiting: Pick<Batch, 'signal' | 'heartbeat'>) => {
        asked += 1;
        await delay(10, null, { signal: waiting.signal }).catch(() => {});
        await waiting.heartbeat();
        ready.add(partition);
      },
      batch: async ({ partition, records: batch, to }: Batch) => {
        t.true(ready.delete(partition));
        delivered += batch.length;
        if (delivered === 60) controller.abort();
        return to;
      },
      revoked: async () => {},
    };
    await eventLog.subscribe(subscriber, { group: 'ready', limits: LIMITS, signal });
    t.is(delivered, 60);
    t.true(asked >= tested.partitions);
  });

  test('a rejected batch ends the subscription with its reason', async t => {
    const eventLog = await (await createLogger(t)).open('writer');
    await eventLog.append(records(20));
    const refusal = new Error('Fenced');
    const subscriber = {
      assigned: async () => 0,
      batch: async () => Promise.reject(refusal),
      revoked: async () => {},
    };
    const { signal } = new AbortController();
    const run = eventLog.subscribe(subscriber, { group: 'refused', limits: LIMITS, signal });
    t.is(await t.throwsAsync(run), refusal);
  });

  test('a subscription that is stopped before it began ends', async t => {
    const eventLog = await (await createLogger(t)).open('reader');
    await following(eventLog, 'stopped').stop();
    t.pass();
  });
}

export function liveTests(test: TestFn, createLogger: CreateLog): void {
  test('a subscription delivers records that are appended later', async t => {
    const eventLog = await (await createLogger(t)).open('writer');
    const follower = following(eventLog, 'live');
    for (let first = 0; first < 100; first += 10) {
      await eventLog.append(records(10, first));
      if (first % 20 === 0)
        await until(() => follower.values().length === first + 10, 'it has arrived');
    }
    await until(() => follower.values().length >= 100, 'all have arrived');
    await follower.stop();
    t.deepEqual(sorted(follower.values()), sorted(valuesOf(records(100))));
  });

  test('each subscriber receives the records of another process, in order', async t => {
    const tested = await createLogger(t);
    const logs = [await tested.open('reader'), await tested.open('reader')];
    const followers = logs.map((eventLog, index) => following(eventLog, `elsewhere-${index}`));
    for (let first = 0; first < 90; first += 30) await tested.appendElsewhere(records(30, first));
    for (const follower of followers) {
      await until(() => follower.values().length >= 90, 'all have arrived');
      await follower.stop();
      t.deepEqual(sorted(follower.values()), sorted(valuesOf(records(90))));
    }
    const order = followers.map(({ values }) => values().filter(value => value.includes('"a"')));
    t.deepEqual(order[0], order[1]);
  });

  test('bounds include the records of another process', async t => {
    const tested = await createLogger(t);
    const reader = await tested.open('reader');
    const partition = partitionOf('budget-1', tested.partitions);
    const before = await reader.bounds(partition);
    await tested.appendElsewhere(records30());
    const after = await reader.bounds(partition);
    t.is(after.start, before.start);
    t.true(after.end >= before.end + 30);
  });

  test('two subscribers progress independently', async t => {
    const eventLog = await (await createLogger(t)).open('writer');
    await eventLog.append(records(50));
    const slowLimits = { recordsMax: 1, bytesMax: 1_000_000 };
    const slow = following(eventLog, 'slow', { limits: slowLimits });
    const quick = following(eventLog, 'quick');
    await until(
      () => slow.values().length >= 50 && quick.values().length >= 50,
      'all have arrived',
    );
    await Promise.all([slow.stop(), quick.stop()]);
    t.true(slow.batches.every(batch => batch.records.length === 1));
    t.deepEqual(sorted(slow.values()), sorted(quick.values()));
  });

  test('closing a log ends its subscriptions', async t => {
    const tested = await createLogger(t);
    const eventLog = await tested.open('reader');
    const follower = following(eventLog, 'closing');
    await until(() => follower.assigned.length > 0, 'it runs');
    await eventLog.close();
    await follower.stop();
    t.deepEqual(follower.batches, []);
  });
}
