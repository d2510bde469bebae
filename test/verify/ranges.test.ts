// Passes have a bounded number of events, whatever the sizes and ids of the streams.
import test from 'ava';
import type { IdRange } from '../../src/store/stored-streams.ts';
import { cutRanges, rangesOf } from '../../src/verify/choose-streams.ts';
import { stubLog } from '../projector/log-in-memory.ts';

const never = new AbortController().signal;

function isIn(id: string, { from, to }: IdRange): boolean {
  return (from === null || id >= from) && (to === null || id < to);
}

function keysIn(keys: readonly string[], range: IdRange): number {
  return keys.filter(key => isIn(key, range)).length;
}

test('ranges cover every id once, and none has more than its share', t => {
  const keys = Array.from({ length: 1000 }, (_, index) => `budget-${index % 173}`);
  const ranges = cutRanges(keys, 50);
  t.true(ranges.length >= 20);
  for (const range of ranges) t.true(keysIn(keys, range) <= 50);
  for (const id of [...keys, '', '~', 'budget-', 'a', 'z']) {
    t.is(ranges.filter(range => isIn(id, range)).length, 1, id);
  }
});

test('a stream larger than a pass is a pass of its own', t => {
  const keys = [...Array.from({ length: 500 }, () => 'm'), 'a', 'b', 'm0', 'z'];
  t.deepEqual(cutRanges(keys, 10), [
    { from: null, to: 'm' },
    { from: 'm', to: 'm\0' },
    { from: 'm\0', to: null },
  ]);
});

test('a log without keys is one range', t => {
  t.deepEqual(cutRanges([], 10), [{ from: null, to: null }]);
});

test('a small partition is one pass without a scan, and a large one is cut by a sample of its keys', async t => {
  const eventLog = stubLog();
  const streams = Array.from({ length: 40 }, (_, index) => `budget-${index}`);
  for (let sequence = 1; sequence <= 500; sequence += 1) {
    for (const subject of streams) eventLog.add({ subject, sequence });
  }
  let scans = 0;
  const counted: typeof eventLog = {
    ...eventLog,
    scan: (...range) => {
      scans += 1;
      return eventLog.scan(...range);
    },
  };
  t.deepEqual(await rangesOf(counted, 0, { to: 20_000, eventsMax: 20_000, signal: never }), [
    { from: null, to: null },
  ]);
  t.is(scans, 0);
  const ranges = await rangesOf(counted, 0, { to: 20_000, eventsMax: 2000, signal: never });
  t.is(scans, 1);
  const keys = eventLog.records.map(({ key }) => key ?? '');
  t.true(ranges.length >= 8 && ranges.length <= 20, String(ranges.length));
  // A sample gives approximate sizes: at most twice the share.
  for (const range of ranges) t.true(keysIn(keys, range) <= 4000);
});
