// Sizes of chunks: everything at first, cut before an event that loads too many documents, smaller after failures.
import test from 'ava';
import { createChunkSizes, limitsAfter } from '../../src/projector/fold/chunk-sizes.ts';

test('a chunk takes all records', t => {
  const sizes = createChunkSizes(1000);
  t.is(sizes.next(0), 1000);
  sizes.applied(1000);
  t.is(sizes.next(0), 1000);
});

test('repeated failures halve the size, down to one', t => {
  const sizes = createChunkSizes(1000);
  t.deepEqual(
    [0, 1, 2, 3, 20].map(failures => sizes.next(failures)),
    [1000, 500, 250, 125, 1],
  );
});

test('an event that loads too many documents costs one more attempt, whatever the length of its chunk', t => {
  const sizes = createChunkSizes(10_000);
  sizes.tooMany(7000);
  t.is(sizes.next(0), 7000);
  sizes.applied(7000);
  t.is(sizes.next(0), 1);
  sizes.applied(1);
  const after: number[] = [];
  for (let step = 0; step < 11; step += 1) {
    after.push(sizes.next(0));
    sizes.applied(sizes.next(0));
  }
  t.deepEqual(after, [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 10_000]);
});

test('the records before such an event may be applied in parts', t => {
  const sizes = createChunkSizes(100);
  sizes.tooMany(40);
  t.is(sizes.next(2), 10);
  sizes.applied(10);
  t.is(sizes.next(0), 30);
  sizes.applied(30);
  t.is(sizes.next(0), 1);
});

test('such an event at the beginning is a chunk of its own at once', t => {
  const sizes = createChunkSizes(3);
  sizes.tooMany(0);
  t.is(sizes.next(0), 1);
  sizes.applied(1);
  t.is(sizes.next(0), 3);
});

test('from the second failure in a row on, fewer rows are tried, but never fewer than any server takes', t => {
  const after = (rowsMax: number) =>
    [0, 1, 2, 3, 5, 6, 40].map(failures => limitsAfter(failures, { rowsMax }).rowsMax);
  t.deepEqual(after(20_000), [20_000, 20_000, 10_000, 5000, 1250, 1000, 1000]);
  t.deepEqual(after(3), [3, 3, 3, 3, 3, 3, 3]);
});
