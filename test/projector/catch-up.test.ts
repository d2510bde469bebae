import test from 'ava';
import { partitionsProgress, pollMsOf, sumOf } from '../../src/projector/catch-up.ts';

test('a build that is near its end is looked at often, one that is far behind rarely', t => {
  t.deepEqual([1, 5000].map(pollMsOf), [50, 50]);
  t.is(pollMsOf(20_000), 200);
  t.deepEqual([50_000, 10_000_000].map(pollMsOf), [500, 500]);
});

test('a partition that is ahead of known bounds does not make up for one that is behind', t => {
  const bounds = [
    { start: 0, end: 10 },
    { start: 0, end: 10 },
  ];
  const checkpoints = [
    { _id: 0, next: 25 },
    { _id: 1, next: 5 },
  ];
  t.deepEqual(sumOf(partitionsProgress(checkpoints, bounds)), { applied: 15, total: 20 });
});
