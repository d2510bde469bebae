// The laws of rules/months.md#envelope-figures and rules/api.md#balances, between bodies of the API: a sentence for
// each one that is broken.
import type { Answers } from './answers.ts';
import { hundredthsOf, sum } from './money-text.ts';

type BodyOf<Name extends keyof Answers> = NonNullable<ReturnType<Answers[Name]>>;
type Month = BodyOf<'months'>['months'][number];
type CategoryMonth = BodyOf<'categoryMonths'>['months'][number]['categories'][number];
type Row = BodyOf<'transactions'>['transactions'][number];
type Point = BodyOf<'balances'>['points'][number];

export interface EnvelopeBodies {
  /** Of the same months, with hidden categories. */
  months: readonly Month[];
  categoryMonths: BodyOf<'categoryMonths'>['months'];
  /** All rows of the budget. */
  rows: readonly Row[];
  onBudget: ReadonlySet<string>;
}

const amountsOf = (rows: readonly Row[]) => sum(rows.map(({ amount }) => hundredthsOf(amount)));

export function brokenEnvelopeLaws(bodies: EnvelopeBodies): string[] {
  const broken: string[] = [];
  const carried = new Map<string, bigint>();
  for (const [index, { month, categories }] of bodies.categoryMonths.entries()) {
    const whole = bodies.months[index];
    if (whole?.month !== month) return [`expected ${whole?.month}, got ${month}`];
    const same = (what: string, expected: bigint, got: bigint) => {
      if (expected !== got) broken.push(`${what} of ${month}: expected ${expected}, got ${got}`);
    };
    const total = (field: 'assigned' | 'available') =>
      sum(categories.map(category => hundredthsOf(category[field])));
    same('assigned', hundredthsOf(whole.assigned), total('assigned'));
    same('available', envelopesOf(bodies, whole), total('available'));
    const short = sum(categories.map(shortageOf));
    same('overspent', hundredthsOf(whole.overspentTotal), short);
    for (const category of categories) {
      const { categoryId } = category;
      const parts = hundredthsOf(category.assigned) + hundredthsOf(category.activity);
      const available = hundredthsOf(category.available);
      const before = carried.get(categoryId);
      if (before !== undefined) same(categoryId, parts + before, available);
      carried.set(categoryId, available + shortageOf(category));
    }
  }
  return broken;
}

/** What falls to Ready to Assign when the month ends. */
function shortageOf({ available, carriesOver }: CategoryMonth): bigint {
  const amount = hundredthsOf(available);
  return amount < 0n && !carriesOver ? -amount : 0n;
}

/** cashBalance − readyToAssign − heldForNextMonth − U − X */
function envelopesOf({ rows, onBudget }: EnvelopeBodies, month: Month): bigint {
  const past = rows.filter(
    row => row.date.slice(0, 7) <= month.month && onBudget.has(row.accountId),
  );
  const isInner = (row: Row) =>
    row.transferAccountId !== null && onBudget.has(row.transferAccountId);
  const uncategorized = past.filter(row => row.categoryId === null && !isInner(row));
  const inner = past.filter(isInner);
  return (
    hundredthsOf(month.cashBalance) -
    hundredthsOf(month.readyToAssign) -
    hundredthsOf(month.heldForNextMonth) -
    amountsOf(uncategorized) -
    amountsOf(inner)
  );
}

/** Each point is the point before and the rows between; `figureOf` is what a row adds. */
export function brokenBalanceLaws(
  points: readonly Point[],
  field: 'total' | 'onBudget' | 'balance' | 'nativeBalance',
  rows: readonly { date: string; amount: bigint }[],
): string[] {
  const figure = (point: Point | undefined) =>
    hundredthsOf((point as Readonly<Record<string, string>> | undefined)?.[field] ?? '0.00');
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    const between = rows.filter(
      ({ date }) => date <= point.date && (before === undefined || date > before.date),
    );
    const expected = figure(before) + sum(between.map(({ amount }) => amount));
    if (expected === figure(point)) return [];
    return [`${field} of ${point.date}: expected ${expected}, got ${figure(point)}`];
  });
}
