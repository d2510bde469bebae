// Ids for things that a file identifies by name only, numbered in order of appearance, so a file always gives the same.

export interface NameWithId {
  readonly id: string;
  readonly name: string;
  /** Where the name first appears in the file. */
  readonly origin: string;
}

export interface NameIds {
  /** Returns the id of a name; a new name gets the next number. */
  idOf(name: string, origin: string): string;
  all(): readonly NameWithId[];
}

/** @param taken names that have an id already; their ids are given to no other name */
export function createNameIds(
  prefix: string,
  taken: readonly Pick<NameWithId, 'id' | 'name'>[] = [],
): NameIds {
  const known = new Map<string, NameWithId>();
  const ids = new Set(taken.map(({ id }) => id));
  for (const { id, name } of taken) if (!known.has(name)) known.set(name, { id, name, origin: '' });
  let last = 0;
  const nextId = () => {
    do last += 1;
    while (ids.has(`${prefix}-${last}`));
    return `${prefix}-${last}`;
  };
  return {
    idOf(name, origin) {
      const found = known.get(name) ?? { id: nextId(), name, origin };
      known.set(name, found);
      return found.id;
    },
    all: () => [...known.values()],
  };
}
