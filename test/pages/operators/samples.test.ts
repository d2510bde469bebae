// The history of a process is bounded, and gives the rate at which a generation applies events.
import test from 'ava';
import { rateOf } from '../../../src/pages/operators/page/generations-section.ts';
import { createSamples, HISTORY_MS, SAMPLE_MS } from '../../../src/pages/operators/samples.ts';
import { generation, partition } from './snapshot-of.ts';

const START_MS = 1_000_000;

const statusOf = (next: number, end = 1000) => ({
  active: 'g1',
  generations: [generation('g1', [partition(0, next, end), partition(1, 7, 7)])],
  rejectedVersions: [],
});

test('samples keep their distance however often they are added, and the newest is always included', t => {
  const samples = createSamples();
  for (let ms = 0; ms <= 3 * SAMPLE_MS; ms += 500) samples.add(START_MS + ms, statusOf(ms));
  const ages = samples.all().map(({ atMs }) => atMs - START_MS);
  t.deepEqual(ages, [0, SAMPLE_MS, 2 * SAMPLE_MS, 3 * SAMPLE_MS]);
  samples.add(START_MS + 3 * SAMPLE_MS + 1, statusOf(0));
  t.is(samples.all().at(-1)?.atMs, START_MS + 3 * SAMPLE_MS + 1);
});

test('the history covers one hour', t => {
  const samples = createSamples();
  for (let ms = 0; ms < 3 * HISTORY_MS; ms += SAMPLE_MS) samples.add(START_MS + ms, statusOf(1));
  const all = samples.all();
  t.is(all.length, HISTORY_MS / SAMPLE_MS + 1);
  t.is((all.at(-1)?.atMs ?? 0) - (all[0]?.atMs ?? 0), HISTORY_MS);
});

test('a sample of the same time is not added, and a clock that is set back restarts the history', t => {
  const samples = createSamples();
  for (const ms of [0, 0, SAMPLE_MS]) samples.add(START_MS + ms, statusOf(1));
  t.is(samples.all().length, 2);
  samples.add(START_MS - 1, statusOf(1));
  t.is(samples.all().length, 1);
});

test('the lag of a generation is that of its partitions', t => {
  const samples = createSamples();
  samples.add(START_MS, statusOf(400));
  t.deepEqual(samples.all()[0]?.generations.get('g1'), {
    applied: 407,
    lagEvents: 600,
  });
});

test('the rate is that of the last minute', t => {
  const samples = createSamples();
  samples.add(START_MS, statusOf(0));
  t.is(rateOf(samples.all(), 'g1'), null);
  for (let second = 5; second <= 100; second += 5) {
    samples.add(START_MS + second * 1000, statusOf(second <= 40 ? 0 : (second - 40) * 10));
  }
  t.deepEqual(rateOf(samples.all(), 'g1'), { eventsPerSecond: 10, secondsLeft: 40 });
  t.is(rateOf(samples.all(), 'g2'), null);
});

test('the time left is unknown without progress, and without events left', t => {
  const samples = createSamples();
  samples.add(START_MS, statusOf(10));
  samples.add(START_MS + SAMPLE_MS, statusOf(10));
  t.deepEqual(rateOf(samples.all(), 'g1'), { eventsPerSecond: 0, secondsLeft: null });
  samples.add(START_MS + 2 * SAMPLE_MS, statusOf(1000));
  t.deepEqual(rateOf(samples.all(), 'g1'), { eventsPerSecond: 99, secondsLeft: null });
});
