import { cp, readFile, rename, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { listSegments, segmentFile } from '../../src/event-log/folder/layout.ts';
import { contractTests } from './contract.ts';
import { createFolderLog, openForTest, temporaryPath } from './folder-log-under-test.ts';
import { following, readAll, record, records, sorted, until, valuesOf } from './log-under-test.ts';

contractTests(test, t => createFolderLog(t, { partitions: 4 }));

// Serial, because other tests of this file watch folders too.
test.serial('a subscription that ends before it begins keeps no process alive', async t => {
  const eventLog = await openForTest(t, await temporaryPath(t));
  const never = () => Promise.reject(new Error('Expected no call'));
  const subscriber = { assigned: never, batch: never, revoked: never };
  const limits = { recordsMax: 1, bytesMax: 1 };
  await eventLog.subscribe(subscriber, { group: 'late', limits, signal: AbortSignal.abort() });
  t.false(process.getActiveResourcesInfo().includes('FSEventWrap'));
});

test('a new folder belongs to its owner alone, with four partitions', async t => {
  const folder = await temporaryPath(t);
  const eventLog = await openForTest(t, folder, { writer: true });
  t.is(await eventLog.partitions(), 4);
  await eventLog.append(records(40));
  t.is(eventLog.name, `folder ${folder}`);
  t.is((await stat(folder)).mode & 0o777, 0o700);
  t.is((await stat(join(folder, 'mark'))).mode & 0o777, 0o600);
  t.is((await stat(join(folder, '0'))).mode & 0o777, 0o700);
  t.is((await stat(segmentFile(folder, 0, 0))).mode & 0o777, 0o600);
});

test('a segment is NDJSON with one event per line, and each offset is a line number', async t => {
  const folder = await temporaryPath(t);
  const eventLog = await openForTest(t, folder, { partitions: 1, writer: true });
  await eventLog.append(records(20));
  t.is(await readFile(segmentFile(folder, 0, 0), 'utf8'), `${valuesOf(records(20)).join('\n')}\n`);
});

test('simultaneous opens of a new folder create one log', async t => {
  const folder = await temporaryPath(t);
  const logs = await Promise.all(Array.from({ length: 8 }, () => openForTest(t, folder)));
  await logs[3]?.append(records(10));
  for (const eventLog of logs) t.is((await readAll(eventLog)).length, 10);
});

test('a segment ends at its maximum size, and scans begin in the right one', async t => {
  const folder = await temporaryPath(t);
  const segmentBytesMax = 1_000;
  const eventLog = await openForTest(t, folder, { partitions: 1, writer: true, segmentBytesMax });
  for (let first = 0; first < 400; first += 40) await eventLog.append(records(40, first));
  const segments = await listSegments(folder, 0);
  t.true(segments.length > 10);
  for (const first of segments) {
    t.true((await stat(segmentFile(folder, 0, first))).size <= segmentBytesMax);
  }
  for (const from of [0, 1, ...segments, 399]) {
    const values: string[] = [];
    for await (const batch of eventLog.scan({ partition: 0, from, to: from + 3 })) {
      values.push(...batch.map(({ value }) => Buffer.from(value ?? []).toString()));
    }
    t.deepEqual(values, valuesOf(records(Math.min(3, 400 - from), from)));
  }
});

test('lines of many sizes stay intact, wherever the chunks of a read end', async t => {
  const eventLog = await openForTest(t, await temporaryPath(t), { partitions: 1, writer: true });
  const given = Array.from({ length: 60 }, (_, n) =>
    record('budget-1', n, { memo: 'é'.repeat((n * 7_919) % 61_000) }),
  );
  given.push(record('budget-1', 60, { memo: 'x'.repeat(1_000_000) }), record('budget-1', 61));
  await eventLog.append(given);
  t.deepEqual(
    (await readAll(eventLog)).map(one => one.value),
    valuesOf(given),
  );
  for (const from of [59, 31, 2, 60, 61]) {
    const values: string[] = [];
    for await (const batch of eventLog.scan({ partition: 0, from, to: from + 1 })) {
      values.push(...batch.map(({ value }) => Buffer.from(value ?? []).toString()));
    }
    t.deepEqual(values, valuesOf(given.slice(from, from + 1)));
  }
});

test('a value with a line feed, or with another subject than its key, is refused', async t => {
  const eventLog = await openForTest(t, await temporaryPath(t), { writer: true });
  await t.throwsAsync(eventLog.append([record('a', 1), { key: 'a', value: '{"subject":\n"a"}' }]), {
    message: /line feed/,
  });
  await t.throwsAsync(eventLog.append([record('a', 1), { key: 'b', value: '{"subject":"a"}' }]), {
    message: /expected b, got a/,
  });
  t.deepEqual(await readAll(eventLog), []);
});

test('a line without a subject has no key', async t => {
  const eventLog = await openForTest(t, await temporaryPath(t), { writer: true });
  await eventLog.append([{ key: 'a', value: 'no JSON' }]);
  const [only] = await readAll(eventLog);
  t.is(only?.key, null);
  t.is(only?.value, 'no JSON');
});

test("logs without the writer's lock append in turn, each its own records", async t => {
  const folder = await temporaryPath(t);
  const logs = [await openForTest(t, folder), await openForTest(t, folder)];
  for (let first = 0; first < 40; first += 20) {
    for (const [index, eventLog] of logs.entries())
      await eventLog.append(records(10, first + index * 10));
  }
  for (const eventLog of logs) {
    const values = (await readAll(eventLog)).map(one => one.value);
    t.deepEqual(sorted(values), sorted(valuesOf(records(40))));
  }
});

test('a follower polls too, since the system does not report every change', async t => {
  const path = await temporaryPath(t);
  await (await openFolderLog(`${path}-1`)).close();
  await symlink(`${path}-1`, path);
  const follower = following(await openForTest(t, path, { pollMs: 20 }), 'poll');
  await until(() => follower.assigned.length === 4, 'the follower has started');
  // The watch stays on the link's former target, which no longer changes.
  await cp(`${path}-1`, `${path}-2`, { recursive: true });
  await symlink(`${path}-2`, `${path}-next`);
  await rename(`${path}-next`, path);
  const writer = await openForTest(t, `${path}-2`, { writer: true });
  await writer.append(records(20));
  await until(() => follower.values().length >= 20, 'all have arrived');
  await follower.stop();
  t.deepEqual(sorted(follower.values()), sorted(valuesOf(records(20))));
});
