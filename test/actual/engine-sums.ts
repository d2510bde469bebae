// What was spent and received by account, category and payee in each month, added up by Actual's own query engine.
import { formatMoney } from '../../projections/money.ts';
import type { Engine, SummedBy } from './engine.ts';
import { addFields } from './figures.ts';

/** In hundredths. */
interface Sums {
  inflow: number;
  outflow: number;
  count: number;
}

export type SummedRow = Readonly<Record<SummedBy, string | null>>;

export interface SumKind {
  /** As `group_by` of /sums names it. */
  readonly kind: string;
  readonly by: readonly SummedBy[];
  /** Returns the thing of the API under which rows count; null for rows that have none. */
  readonly thingOf: (row: SummedRow) => string | null;
}

/** Adds the sums of all rows, transfers included. */
export async function addEngineSums(
  figures: Map<string, string>,
  engine: Engine,
  { kind, by, thingOf }: SumKind,
): Promise<void> {
  const sums = new Map<string, Sums>();
  for (const [field, amounts] of [
    ['inflow', { $gt: 0 }],
    ['outflow', { $lt: 0 }],
    [null, { $gte: Number.MIN_SAFE_INTEGER }],
  ] as const) {
    for (const { month, amount, count, ...group } of await engine.sums(by, amounts)) {
      const name = sumName(kind, month, thingOf(group));
      const sum = sums.get(name) ?? { inflow: 0, outflow: 0, count: 0 };
      sums.set(name, sum);
      if (field === null) sum.count += count;
      else sum[field] += amount;
    }
  }
  for (const [name, { inflow, outflow, count }] of sums) {
    const net = formatMoney(inflow + outflow);
    const money = { inflow: formatMoney(inflow), outflow: formatMoney(outflow), net };
    addFields(figures, name, { ...money, count });
  }
}

export function sumName(kind: string, month: string, id: string | null): string {
  return `sum by ${kind} ${month} ${id ?? 'of none'}`;
}
