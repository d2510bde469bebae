// Legs of one split: YNAB's register marks them in the memo, `Split (1/3) the memo`, and says no more.

interface Leg {
  readonly account: string;
  readonly date: string;
  readonly memo: string;
}

export interface Splits {
  /** By the row's index: the id its split's legs share, and the memo without the mark. */
  readonly legs: ReadonlyMap<number, { readonly splitGroupId: string; readonly memo: string }>;
  /** Marked rows whose other legs are not there: their memos are only memos. */
  readonly alone: number;
}

const MARK = /^Split \((\d{1,4})\/(\d{1,4})\) ?/;

export function findSplits(rows: readonly Leg[]): Splits {
  const legs = new Map<number, { splitGroupId: string; memo: string }>();
  /** Splits that still lack legs, by what their legs have in common: row indexes by number. */
  const open = new Map<string, Map<string, number>[]>();
  let alone = 0;
  let splits = 0;
  for (const [index, { account, date, memo }] of rows.entries()) {
    const [, number, total] = MARK.exec(memo) ?? [];
    if (number === undefined || total === undefined || Number(number) > Number(total)) continue;
    const key = JSON.stringify([account, date, total]);
    const candidates = open.get(key) ?? [];
    open.set(key, candidates);
    const begun = candidates.find(one => !one.has(number));
    const split = begun ?? new Map<string, number>();
    if (begun === undefined) candidates.push(split);
    split.set(number, index);
    alone += 1;
    if (split.size < Number(total)) continue;
    splits += 1;
    alone -= split.size;
    for (const leg of split.values()) {
      const text = rows[leg]?.memo ?? '';
      legs.set(leg, { splitGroupId: `split-${splits}`, memo: text.replace(MARK, '') });
    }
    candidates.splice(candidates.indexOf(split), 1);
  }
  return { legs, alone };
}
