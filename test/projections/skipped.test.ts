// The sequences that count without effect.
import test from 'ava';
import { type SequenceRange, skippedUpTo, withSkipped } from '../../projections/skipped.ts';

test('sequences that follow each other are one range', t => {
  const steps: SequenceRange[] = [
    [2, 2],
    [3, 5],
    [7, 7],
    [8, 9],
  ];
  const skipped = steps.reduce<readonly SequenceRange[]>(withSkipped, []);
  t.deepEqual(skipped, [
    [2, 5],
    [7, 9],
  ]);
  t.deepEqual(withSkipped(undefined, [1, 4]), [[1, 4]]);
});

test('those up to a sequence do not depend on later ones', t => {
  const skipped: SequenceRange[] = [
    [2, 5],
    [7, 9],
  ];
  t.deepEqual(skippedUpTo(skipped, 1), []);
  t.deepEqual(skippedUpTo(skipped, 2), [[2, 2]]);
  t.deepEqual(skippedUpTo(skipped, 6), [[2, 5]]);
  t.deepEqual(skippedUpTo(skipped, 8), [
    [2, 5],
    [7, 8],
  ]);
  t.deepEqual(skippedUpTo(skipped, 9), skipped);
});
