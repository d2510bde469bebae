// Totals by period and group: added up exactly, and the part of their order that a page needs.
import test from 'ava';
import {
  byPeriodAndNet,
  createGroupedTotals,
  type GroupTotals,
} from '../../../../src/store/reading/queries/grouped-totals.ts';

const one = (period: string | null, id: string | null, net: number): GroupTotals => ({
  ...{ period, id, count: 1 },
  inflow: Math.max(net, 0),
  outflow: Math.min(net, 0),
});

const byPeriodAndName = (a: GroupTotals, b: GroupTotals) =>
  byPeriodAndNet(a, b) || ((a.id ?? '') < (b.id ?? '') ? -1 : 1);

test('parts of a group in a period are added up, and null is a group like others', t => {
  const groups = createGroupedTotals();
  for (const part of [one('2024', 'a', -5), one('2024', null, 2), one('2025', 'a', 1)]) {
    groups.add(part);
    groups.add(part);
  }
  groups.add(one('2024', 'a', 3));
  t.deepEqual(groups.candidates({ offset: 0, limit: 9 }).groups, [
    { period: '2024', id: 'a', count: 3, inflow: 3, outflow: -10 },
    { period: '2024', id: null, count: 2, inflow: 4, outflow: 0 },
    { period: '2025', id: 'a', count: 2, inflow: 2, outflow: 0 },
  ]);
  t.is(groups.candidates({ offset: 2, limit: 9 }).groups.length, 1);
});

test('candidates are those of the page and their equals, whatever the page', t => {
  const totals = createGroupedTotals();
  for (const part of [
    one('2024-01', 'a', -2),
    one('2024-01', 'b', -1),
    one('2024-01', 'c', -1),
    one('2024-01', 'd', -1),
    one('2024-02', 'e', -1),
    one('2024-02', 'f', 5),
  ].toReversed()) {
    totals.add(part);
  }
  const of = (offset: number, limit: number) => {
    const { groups, before } = totals.candidates({ offset, limit });
    return [
      groups
        .toSorted(byPeriodAndName)
        .map(({ id }) => id)
        .join(''),
      before,
    ];
  };
  t.deepEqual(of(0, 1), ['a', 0]);
  t.deepEqual(of(1, 1), ['bcd', 0]);
  t.deepEqual(of(2, 1), ['bcd', 1]);
  t.deepEqual(of(3, 2), ['bcde', 2]);
  t.deepEqual(of(0, 2), ['abcd', 0]);
  t.deepEqual(of(4, 9), ['ef', 0]);
  t.deepEqual(of(6, 9), ['', 0]);
  t.deepEqual(of(900, 9), ['', 0]);
});
