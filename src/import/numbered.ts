// Ids for what a file knows by name only: numbered in the order in which names come up, so a file always gives the same.

export interface Named {
  readonly id: string;
  readonly name: string;
  readonly origin: string;
}

export interface Numbered {
  /** The id of a name; a new one is numbered. */
  idOf(name: string, origin: string): string;
  all(): readonly Named[];
}

export function createNumbered(prefix: string): Numbered {
  const known = new Map<string, Named>();
  return {
    idOf(name, origin) {
      const found = known.get(name) ?? { id: `${prefix}-${known.size + 1}`, name, origin };
      known.set(name, found);
      return found.id;
    },
    all: () => [...known.values()],
  };
}
