// When a build counts as stalled, and which partitions the message names.
import test from 'ava';
import { type BuildPartition, createBuildWatch } from '../../src/generations/build-watch.ts';

const END = 9000;
const BUILD = { id: 'g2', version: 3 };

function watching() {
  const watch = createBuildWatch(1000);
  return (ms: number, ...nexts: readonly (number | null)[]) => {
    const partitions: BuildPartition[] = nexts.map((next, partition) => ({
      partition,
      next,
      end: END,
    }));
    return watch.observe(BUILD, { partitions, applied: 0, total: END, halted: null }, ms);
  };
}

test('partitions that are still unclaimed after a while are named', t => {
  const observe = watching();
  t.is(observe(0, null, null), undefined);
  t.is(observe(999, 4, null), undefined, 'claims take a moment');
  t.is(observe(1000, 5, null), 'No projector of version 3 has claimed partition 1');
  t.is(observe(1100, 5, 0), null);
});

test('a build stalls once none of its partitions moves, even if they move in turn', t => {
  const observe = watching();
  t.is(observe(0, 0, 0), undefined, 'no earlier observation');
  t.is(observe(900, 1, 0), null);
  t.is(observe(1899, 1, 0), null);
  t.is(
    observe(1900, 1, 0),
    'The log has more, but partition 0 at offset 1, partition 1 at offset 0 stand still: the projectors of version 3 say why in their logs',
  );
  t.is(observe(2000, 1, 1), null);
});

test('a build that has caught up does not count as stalled', t => {
  const observe = watching();
  t.is(observe(0, END), null);
  t.is(observe(5000, END), null);
});

test('a partition that follows what comes does not stand for one that is stuck', t => {
  const watch = createBuildWatch(1000);
  const stuck = { partition: 1, next: 4000, end: 9000 };
  const observe = (ms: number, end: number) => {
    const partitions = [{ partition: 0, next: end, end: end + 1 }, stuck];
    return watch.observe(BUILD, { partitions, applied: 0, total: end, halted: null }, ms);
  };
  t.is(observe(0, 10), undefined);
  t.is(observe(600, 11), null);
  t.is(
    observe(1200, 12),
    'The log has more, but partition 1 at offset 4000 stands still: the projectors of version 3 say why in their logs',
  );
});

test('what comes to a partition that was quiet for long is given time', t => {
  const observe = watching();
  t.is(observe(0, END, END), null);
  t.is(observe(4000, END, END), null);
  t.is(observe(5000, END - 1, END), null, 'it was done a moment ago');
  t.regex(observe(6100, END - 1, END) ?? '', /partition 0 at offset 8999 stands still/);
});

test('a partition that was empty so far, or that nobody looked at, does not stand still by its first record', t => {
  const watch = createBuildWatch(1000);
  const observe = (ms: number, partitions: readonly BuildPartition[]) =>
    watch.observe(BUILD, { partitions, applied: 0, total: END, halted: null }, ms);
  const first = { partition: 0, next: END, end: END };
  t.is(observe(0, [first]), null);
  t.falsy(observe(5000, [first, { partition: 1, next: 0, end: 1 }]));
  // A verification of its own kept the process from looking.
  t.falsy(
    observe(60_000, [
      { ...first, end: END + 1 },
      { partition: 1, next: 1, end: 1 },
    ]),
  );
  t.regex(
    observe(61_000, [
      { ...first, end: END + 1 },
      { partition: 1, next: 1, end: 1 },
    ]) ?? '',
    /^The log has more, but partition 0 at offset \d+ stands still/,
  );
});
