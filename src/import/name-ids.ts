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

export function createNameIds(prefix: string): NameIds {
  const known = new Map<string, NameWithId>();
  return {
    idOf(name, origin) {
      const found = known.get(name) ?? { id: `${prefix}-${known.size + 1}`, name, origin };
      known.set(name, found);
      return found.id;
    },
    all: () => [...known.values()],
  };
}
