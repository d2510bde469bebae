// The laws of rules/api.md#sums, between bodies of the API: a sentence for each one that is broken.
import type { Answers } from './answers.ts';
import { hundredthsOf, moneyText } from './money-text.ts';
import type { SumsQuery } from './sums.ts';

type Sums = NonNullable<ReturnType<Answers['sums']>>['sums'];
type Figures = Pick<Sums[number], 'inflow' | 'outflow' | 'net' | 'count'>;

const GROUPS = ['account', 'category', 'categoryGroup', 'payee', 'none'] as const;
const NONE: Figures = { inflow: '0.00', outflow: '0.00', net: '0.00', count: 0 };

/** `ask` returns the sums of a question, `envelopesIn` the envelopes of a month. */
export function brokenSumLaws(
  ask: (query: SumsQuery) => Sums,
  envelopesIn: (month: string) => readonly { categoryId: string; activity: string }[],
): { broken: string[]; compared: number } {
  const broken: string[] = [];
  let compared = 0;
  const same = (what: string, expected: Figures, got: Figures) => {
    compared += 1;
    const [a, b] = [expected, got].map(({ inflow, outflow, net, count }) =>
      [inflow, outflow, net, count].join(' '),
    );
    if (a !== b) broken.push(`${what}: expected ${a}, got ${b}`);
  };
  for (const transfers of ['exclude', 'include', 'only'] as const) {
    for (const interval of ['none', 'month', 'year'] as const) {
      const all = byPeriod(ask({ group_by: 'none', interval, transfers }), ({ period }) => period);
      for (const group_by of GROUPS) {
        const groups = ask({ group_by, interval, transfers });
        const parts = byPeriod(groups, ({ period }) => period);
        for (const period of new Set([...all.keys(), ...parts.keys()])) {
          const where = `${group_by} of ${period}, ${transfers}`;
          same(where, all.get(period) ?? NONE, parts.get(period) ?? NONE);
        }
        if (interval !== 'year') continue;
        const keyOf = ({ period, id }: Sums[number]) => `${period?.slice(0, 4)} ${id}`;
        const years = byPeriod(groups, keyOf);
        const months = byPeriod(ask({ group_by, interval: 'month', transfers }), keyOf);
        for (const key of new Set([...years.keys(), ...months.keys()])) {
          same(`${group_by} ${key}`, years.get(key) ?? NONE, months.get(key) ?? NONE);
        }
      }
    }
  }
  const query = { group_by: 'category', interval: 'month', on_budget: true } as const;
  const categories = ask({ ...query, transfers: 'include' });
  for (const month of new Set(categories.map(({ period }) => period ?? ''))) {
    for (const { categoryId, activity } of envelopesIn(month)) {
      const found = categories.find(({ period, id }) => period === month && id === categoryId);
      compared += 1;
      if ((found?.net ?? '0.00') === activity) continue;
      broken.push(`activity of ${categoryId} in ${month}: expected ${activity}, got ${found?.net}`);
    }
  }
  return { broken, compared };
}

function byPeriod<K>(sums: Sums, keyOf: (sum: Sums[number]) => K): Map<K, Figures> {
  const totals = new Map<K, Figures>();
  const plus = (a: string, b: string) => moneyText(hundredthsOf(a) + hundredthsOf(b));
  for (const one of sums) {
    const before = totals.get(keyOf(one)) ?? NONE;
    totals.set(keyOf(one), {
      inflow: plus(before.inflow, one.inflow),
      outflow: plus(before.outflow, one.outflow),
      net: plus(before.net, one.net),
      count: before.count + one.count,
    });
  }
  return totals;
}
