// The figures of one envelope in consecutive months (rules/months.md#available), from what is stored of all its months.
import type { Hundredths } from './documents.ts';
import { advance, startOfChain } from './envelope-chain.ts';

/**
 * What is stored of an envelope: one entry for each month that has a cell or a carry-over mark, in order. Months are
 * texts or numbers; only their order matters.
 */
export interface EnvelopeHistory<Month extends string | number> {
  readonly months: readonly Month[];
  readonly assigned: readonly Hundredths[];
  readonly spent: readonly Hundredths[];
  /** Undefined for a month without a mark. */
  readonly marks: readonly (boolean | undefined)[];
}

export interface EnvelopeMonth {
  /** A(c,m) */
  readonly assigned: Hundredths;
  /** S(c,m) */
  readonly activity: Hundredths;
  /** V(c,m) */
  readonly available: Hundredths;
  /** F(c,m) */
  readonly carriesOver: boolean;
}

/**
 * Returns the figures of each of the given months, which are in order: consecutive ones, or with each stored month the one
 * after it. A month after all data costs no more than a month with data: nothing changes between stored months.
 */
export function envelopeMonths<Month extends string | number>(
  { months, assigned, spent, marks }: EnvelopeHistory<Month>,
  shown: readonly Month[],
): EnvelopeMonth[] {
  const state = startOfChain();
  const follow = (index: number) =>
    advance(state, (assigned[index] ?? 0) + (spent[index] ?? 0), marks[index]);
  let next = 0;
  return shown.map(month => {
    for (let at = months[next]; at !== undefined && at < month; at = months[next]) {
      follow(next);
      next += 1;
    }
    const isStored = months[next] === month;
    // Beyond the last entry nothing is stored.
    const index = isStored ? next : months.length;
    if (isStored) next += 1;
    follow(index);
    return { assigned: assigned[index] ?? 0, activity: spent[index] ?? 0, ...state };
  });
}
