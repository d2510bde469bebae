// Finds the legs of splits: YNAB's register marks them only in the memo, as in `Split (1/3) the memo`.

interface Leg {
  readonly account: string;
  readonly date: string;
  readonly memo: string;
}

export interface Splits {
  /** By index of the row: the id that all legs of its split share, and the memo without the mark. */
  readonly legs: ReadonlyMap<number, { readonly splitGroupId: string; readonly memo: string }>;
  /** Number of marked rows with missing other legs; they keep their memos and belong to no split. */
  readonly alone: number;
}

const MARK = /^Split \((\d{1,4})\/(\d{1,4})\) ?/;

export function findSplits(rows: readonly Leg[]): Splits {
  const legs = new Map<number, { splitGroupId: string; memo: string }>();
  /** Incomplete splits by account, date and number of legs; each maps the number of a leg to its row. */
  const open = new Map<string, Map<string, number>[]>();
  let alone = 0;
  let splits = 0;
  for (const [index, { account, date, memo }] of rows.entries()) {
    const [, number, total] = MARK.exec(memo) ?? [];
    if (number === undefined || total === undefined || Number(number) > Number(total)) continue;
    const key = JSON.stringify([account, date, total]);
    const candidates = open.get(key) ?? [];
    open.set(key, candidates);
    const incomplete = candidates.find(one => !one.has(number));
    const split = incomplete ?? new Map<string, number>();
    if (incomplete === undefined) candidates.push(split);
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
