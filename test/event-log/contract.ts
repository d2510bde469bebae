// What every event log must do, whichever adapter is behind the port; run for each adapter with its own set-up.
import type { TestFn } from 'ava';
import { RECORD_BYTES_MAX } from '../../src/event-log/event-log.ts';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import { liveTests, subscribeTests } from './contract-subscribe.ts';
import {
  type CreateLog,
  following,
  KEYS,
  type Read,
  readAll,
  readOf,
  record,
  records,
  sorted,
  until,
  valuesOf,
} from './log-under-test.ts';

export function contractTests(test: TestFn, createLogger: CreateLog): void {
  appendTests(test, createLogger);
  scanTests(test, createLogger);
  subscribeTests(test, createLogger);
  liveTests(test, createLogger);
}

function appendTests(test: TestFn, createLogger: CreateLog): void {
  test('a new log has its partitions, all empty', async t => {
    const tested = await createLogger(t);
    const eventLog = await tested.open('reader');
    t.is(await eventLog.partitions(), tested.partitions);
    for (let partition = 0; partition < tested.partitions; partition += 1) {
      const { start, end } = await eventLog.bounds(partition);
      t.is(start, end);
    }
    t.deepEqual(await readAll(eventLog), []);
  });

  test('append returns the place of each record, and a scan finds it there', async t => {
    const tested = await createLogger(t);
    const eventLog = await tested.open('writer');
    const given = records(50);
    const places = await eventLog.append(given);
    t.is(places.length, given.length);
    const byPlace = new Map(
      (await readAll(eventLog)).map(read => [`${read.partition}/${read.offset}`, read]),
    );
    for (const [index, { partition, offset }] of places.entries()) {
      const read = byPlace.get(`${partition}/${offset}`);
      t.is(read?.key, given[index]?.key);
      t.is(read?.value, given[index]?.value);
    }
    t.is(byPlace.size, given.length);
  });

  test('an empty append changes nothing', async t => {
    const eventLog = await (await createLogger(t)).open('writer');
    t.deepEqual(await eventLog.append([]), []);
    t.deepEqual(await readAll(eventLog), []);
  });

  test('all records of a key are in one partition, in the order of appending', async t => {
    const tested = await createLogger(t);
    const eventLog = await tested.open('writer');
    for (let first = 0; first < 60; first += 20) await eventLog.append(records(20, first));
    const read = await readAll(eventLog);
    for (const key of KEYS) {
      const ofKey = read.filter(one => one.key === key);
      t.deepEqual(
        ofKey.map(one => one.value),
        valuesOf(records(60).filter(one => one.key === key)),
      );
      t.deepEqual(
        new Set(ofKey.map(one => one.partition)),
        new Set([partitionOf(key, tested.partitions)]),
      );
    }
  });

  test('appends keep their order without waiting for each other', async t => {
    const eventLog = await (await createLogger(t)).open('writer');
    const given = Array.from({ length: 20 }, (_, n) => record('budget-1', n));
    await Promise.all(given.map(one => eventLog.append([one])));
    t.deepEqual(
      (await readAll(eventLog)).map(one => one.value),
      valuesOf(given),
    );
  });

  test('values stay identical byte by byte (rules/events.md#append: U+2028 and U+2029 are no line ends)', async t => {
    const eventLog = await (await createLogger(t)).open('writer');
    const memos = [
      '\u2028 and \u2029',
      'é ß ﬁ İ',
      '😀',
      '"quoted" \\ \n\r\t\0',
      '"subject":"x"',
      '{',
    ];
    const given = memos.map((memo, n) => record('budget-1', n, { data: { memo, subject: 'no' } }));
    const late = {
      key: 'budget-1',
      value: '{ "data": {"subject":"no"}, "subject" : "budget\\u002d1" }',
    };
    await eventLog.append([...given, late]);
    const read = await readAll(eventLog);
    t.deepEqual(
      read.map(one => one.value),
      valuesOf([...given, late]),
    );
    t.true(read.every(one => one.key === 'budget-1'));
  });

  test('a batch that fails at its last record leaves no records, and the next one is complete', async t => {
    const eventLog = await (await createLogger(t)).open('writer');
    await eventLog.append(records(10));
    const tooLarge = record('budget-2', 99, { memo: 'x'.repeat(RECORD_BYTES_MAX) });
    await t.throwsAsync(eventLog.append([...records(20, 100), tooLarge]));
    t.deepEqual(
      sorted((await readAll(eventLog)).map(one => one.value)),
      sorted(valuesOf(records(10))),
    );
    await eventLog.append(records(10, 10));
    t.deepEqual(
      sorted((await readAll(eventLog)).map(one => one.value)),
      sorted(valuesOf(records(20))),
    );
  });

  test('every record keeps its place after a restart, and append continues', async t => {
    const tested = await createLogger(t);
    const first = await tested.open('writer');
    await first.append(records(30));
    const before = await readAll(first);
    await first.close();
    const second = await tested.open('writer');
    t.deepEqual(await readAll(second), before);
    await second.append(records(30, 30));
    const after = await readAll(second);
    t.is(after.length, 60);
    for (const one of before) t.deepEqual(after.find(same(one)), one);
  });

  test('a closed log refuses appends', async t => {
    const eventLog = await (await createLogger(t)).open('writer');
    await eventLog.close();
    await t.throwsAsync(eventLog.append(records(1)));
  });

  test('uncommitted records are never visible, and do not disturb the next writer', async t => {
    const tested = await createLogger(t);
    await tested.appendElsewhere(records(12));
    const reader = await tested.open('reader');
    const follower = following(reader, 'uncommitted');
    await until(() => follower.values().length === 12, 'the committed records have arrived');
    await tested.abandon(records(40, 1_000));
    t.is((await readAll(reader)).length, 12);
    await tested.appendElsewhere(records(12, 12));
    await until(() => follower.values().length >= 24, 'the next batch has arrived');
    await follower.stop();
    t.deepEqual(sorted(follower.values()), sorted(valuesOf(records(24))));
    t.deepEqual(
      sorted((await readAll(reader)).map(one => one.value)),
      sorted(valuesOf(records(24))),
    );
  });
}

function same(one: Read): (other: Read) => boolean {
  return other => other.partition === one.partition && other.offset === one.offset;
}

function scanTests(test: TestFn, createLogger: CreateLog): void {
  test('scan includes its first offset and excludes its last', async t => {
    const eventLog = await (await createLogger(t)).open('writer');
    const given = Array.from({ length: 30 }, (_, n) => record('budget-1', n));
    const places = await eventLog.append(given);
    const partition = places[0]?.partition ?? 0;
    const scanned = async (from: number, to: number) => {
      const values: string[] = [];
      const offsets = { from: places[from]?.offset ?? 0, to: places[to]?.offset ?? 0 };
      const batches = eventLog.scan({ partition, ...offsets });
      for await (const batch of batches) values.push(...readOf(batch).map(one => one.value));
      return values;
    };
    t.deepEqual(await scanned(0, 29), valuesOf(given.slice(0, 29)));
    t.deepEqual(await scanned(7, 8), valuesOf(given.slice(7, 8)));
    t.deepEqual(await scanned(12, 12), []);
  });

  test('scan ends at the end of the log, even if its range goes beyond', async t => {
    const eventLog = await (await createLogger(t)).open('writer');
    const places = await eventLog.append([record('budget-1', 1)]);
    const batches: number[] = [];
    const partition = places[0]?.partition ?? 0;
    for await (const batch of eventLog.scan({ partition, from: 0, to: 1_000 }))
      batches.push(batch.length);
    t.deepEqual(batches, [1]);
  });

  test('scan stops when its signal aborts', async t => {
    const eventLog = await (await createLogger(t)).open('writer');
    const memo = 'x'.repeat(100_000);
    for (let first = 0; first < 120; first += 20) {
      const given = Array.from({ length: 20 }, (_, n) => record('a', first + n, { memo }));
      await eventLog.append(given);
    }
    const partition = partitionOf('a', await eventLog.partitions());
    const { start, end } = await eventLog.bounds(partition);
    const controller = new AbortController();
    let count = 0;
    const range = { partition, from: start, to: end };
    for await (const batch of eventLog.scan(range, controller.signal)) {
      count += batch.length;
      controller.abort();
    }
    t.true(count > 0 && count < 120, `${count} of 120 records, each of 100 kB, came in one batch`);
  });
}
