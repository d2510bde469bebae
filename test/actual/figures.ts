// The contents of a budget as named figures, so that those of two programs can be compared one by one.

/** The text of each figure by its name, such as `2026-03 readyToAssign`. */
export type Figures = ReadonlyMap<string, string>;

/** Makes one figure of each field of a thing. */
export function addFields(figures: Map<string, string>, name: string, fields: object): void {
  for (const [field, value] of Object.entries(fields)) {
    figures.set(`${name} ${field}`, typeof value === 'string' ? value : JSON.stringify(value));
  }
}

/** Returns a line for each figure that differs, or that only one of both has. */
export function differencesOf(actual: Figures, ours: Figures): string[] {
  const names = new Set([...actual.keys(), ...ours.keys()]);
  return [...names].flatMap(name => {
    const [theirs, own] = [actual.get(name), ours.get(name)];
    return theirs === own ? [] : [`${name}: Actual has ${theirs ?? 'none'}, we ${own ?? 'none'}`];
  });
}
