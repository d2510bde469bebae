// Ids of a file's things and of the budget's: pairs, each id in at most one, and new ids for the rest.

export interface IdMatches {
  /** Makes a pair, unless one of the two ids has one already. */
  match(planned: string, current: string): void;
  /** Returns the id of the budget, null for a thing without a counterpart. */
  found(planned: string): string | null;
  /** Returns the id of the budget; a thing without a counterpart gets a new id. */
  idOf(planned: string): string;
  isFree(current: string): boolean;
}

/** @param prefix begins new ids, and no other import of the budget uses it */
export function createIdMatches(prefix: string): IdMatches {
  const pairs = new Map<string, string>();
  const taken = new Set<string>();
  let made = 0;
  const match = (planned: string, current: string) => {
    if (pairs.has(planned) || taken.has(current)) return;
    pairs.set(planned, current);
    taken.add(current);
  };
  return {
    match,
    found: planned => pairs.get(planned) ?? null,
    idOf(planned) {
      if (!pairs.has(planned)) {
        made += 1;
        match(planned, `${prefix}-${made}`);
      }
      return pairs.get(planned) ?? planned;
    },
    isFree: current => !taken.has(current),
  };
}

interface NamedThing {
  readonly id: string;
  readonly name: string;
}

/** Pairs things of the same name. */
export function matchNames(
  matches: IdMatches,
  planned: readonly NamedThing[],
  current: readonly NamedThing[],
): void {
  const ids = new Map(current.map(({ id, name }) => [name, id]));
  for (const { id, name } of planned) {
    const old = ids.get(name);
    if (old !== undefined) matches.match(id, old);
  }
}

/** Pairs things without a counterpart by the number of times that two of them meet, most frequent first. */
export function vote(
  matches: IdMatches,
  meetings: readonly (readonly [planned: string | null, current: string | null])[],
): void {
  const counts = new Map<string, { planned: string; current: string; times: number }>();
  for (const [planned, current] of meetings) {
    if (planned === null || current === null) continue;
    if (matches.found(planned) !== null || !matches.isFree(current)) continue;
    const key = `${planned} ${current}`;
    const counted = counts.get(key) ?? { planned, current, times: 0 };
    counted.times += 1;
    counts.set(key, counted);
  }
  const ordered = [...counts.values()].sort((one, other) => other.times - one.times);
  for (const { planned, current } of ordered) matches.match(planned, current);
}
