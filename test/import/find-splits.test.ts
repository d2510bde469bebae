// The legs of splits are found as the slow rule says: each leg joins the first open split that lacks it.
import test from 'ava';
import { findSplits } from '../../src/import/ynab/plan-ynab.ts';
import { createRandom } from '../histories/random.ts';

interface Leg {
  readonly account: string;
  readonly date: string;
  readonly memo: string;
}

/** Returns the rows of each split, in the order in which they become complete. */
function slowly(rows: readonly Leg[]): number[][] {
  const open: { key: string; rows: Map<number, number> }[] = [];
  const complete: number[][] = [];
  for (const [index, { account, date, memo }] of rows.entries()) {
    const [, number = 0, total = 0] = /^Split \((\d+)\/(\d+)\)/.exec(memo)?.map(Number) ?? [];
    if (number < 1 || number > total) continue;
    const key = `${account} ${date} ${total}`;
    const found = open.find(one => one.key === key && !one.rows.has(number));
    const split = found ?? { key, rows: new Map() };
    if (!found) open.push(split);
    split.rows.set(number, index);
    if (split.rows.size < total) continue;
    complete.push([...split.rows.values()]);
    open.splice(open.indexOf(split), 1);
  }
  return complete;
}

test('random registers give the same splits as the slow rule', t => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = createRandom(seed);
    const below = (most: number) => Math.floor(random.next() * most);
    const rows = Array.from({ length: 60 }, () => ({
      account: `a${below(2)}`,
      date: `2026-01-0${1 + below(2)}`,
      memo: below(5) === 0 ? 'plain' : `Split (${below(4)}/${1 + below(3)}) memo`,
    }));
    const expected = slowly(rows);
    const { legs, alone } = findSplits(rows);
    const found = expected.map((_, at) =>
      [...legs].filter(([, leg]) => leg.splitGroupId === `split-${at + 1}`).map(([row]) => row),
    );
    const sorted = (all: number[][]) => all.map(split => split.sort((a, b) => a - b));
    t.deepEqual(sorted(found), sorted(expected), `seed ${seed}`);
    const marked = rows.filter(({ memo }) => /\(([1-3])\/\d/.test(memo) && isLeg(memo)).length;
    t.is(alone, marked - expected.flat().length, `seed ${seed}`);
  }
});

function isLeg(memo: string): boolean {
  const [, number = 0, total = 0] = /\((\d)\/(\d)\)/.exec(memo)?.map(Number) ?? [];
  return number <= total;
}

test('200,000 first legs of one day, whose others come at the end, take no quadratic time', t => {
  const half = 100_000;
  const row = (memo: string) => ({ account: 'a', date: '2026-01-01', memo });
  const rows = Array.from({ length: 2 * half }, (_, index) =>
    row(index < half ? 'Split (1/2) x' : 'Split (2/2) y'),
  );
  const { legs, alone } = findSplits(rows);
  t.is(alone, 0);
  t.is(legs.size, 2 * half);
  t.is(legs.get(half - 1)?.splitGroupId, legs.get(2 * half - 1)?.splitGroupId);
});
