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

/** The splits of one account, date and number of legs. */
interface Alike {
  /** How often each leg's number came. */
  readonly counts: Map<number, number>;
  /** The rows of each split so far. */
  readonly splits: number[][];
}

export function findSplits(rows: readonly Leg[]): Splits {
  const legs = new Map<number, { splitGroupId: string; memo: string }>();
  const alike = new Map<string, Alike>();
  let alone = 0;
  let splits = 0;
  for (const [index, { account, date, memo }] of rows.entries()) {
    const [, number = 0, total = 0] = MARK.exec(memo)?.map(Number) ?? [];
    if (number < 1 || number > total) continue;
    const key = JSON.stringify([account, date, total]);
    const { counts, splits: known } = alike.get(key) ?? { counts: new Map(), splits: [] };
    alike.set(key, { counts, splits: known });
    // Each number fills the splits in their order, so this is the first split without the leg.
    const at = counts.get(number) ?? 0;
    counts.set(number, at + 1);
    const split = known[at] ?? [];
    known[at] = split;
    split.push(index);
    alone += 1;
    if (split.length < total) continue;
    splits += 1;
    alone -= split.length;
    for (const leg of split) {
      const text = rows[leg]?.memo ?? '';
      legs.set(leg, { splitGroupId: `split-${splits}`, memo: text.replace(MARK, '') });
    }
  }
  return { legs, alone };
}
