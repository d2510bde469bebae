// The payees or labels of a sample budget: added when they are first used, found by the plan's name for them.

export interface NameBook {
  /** Adds the name when it is new. */
  idOf(name: string): string;
  /** Answers the id that leaves, and makes the name mean the other one. */
  merge(name: string, intoName: string): { fromId: string; intoId: string };
  /** Forgets the name; it would be added anew with another id. */
  forget(name: string): string;
}

export function createNameBook(prefix: string, add: (id: string, name: string) => void): NameBook {
  const ids = new Map<string, string>();
  let count = 0;
  const idOf = (name: string): string => {
    const known = ids.get(name);
    if (known !== undefined) return known;
    count++;
    const id = `${prefix}-${count}`;
    ids.set(name, id);
    add(id, name);
    return id;
  };
  return {
    idOf,
    merge(name, intoName) {
      const fromId = idOf(name);
      const intoId = idOf(intoName);
      ids.set(name, intoId);
      return { fromId, intoId };
    },
    forget(name) {
      const id = idOf(name);
      ids.delete(name);
      return id;
    },
  };
}
