// A difference between the read model and the log, and how values are held against each other.
export interface Difference {
  /** Empty for what belongs to no stream. */
  readonly stream: string;
  /** Where: `accounts/account-1 cleared`, or what in words. */
  readonly what: string;
  /** As JSON text; null for nothing there. */
  readonly expected: string | null;
  readonly stored: string | null;
}

/** A difference of one stream. */
export type Found = Omit<Difference, 'stream'>;

/** A difference in a sentence. */
export function differenceText({ stream, what, expected, stored }: Difference): string {
  const where = stream === '' ? what : `${stream}: ${what}`;
  if (expected === null && stored === null) return where;
  return `${where}: expected ${expected ?? 'nothing'}, stored ${stored ?? 'nothing'}`;
}

/** The deepest fields that differ, whatever the order of keys. */
export function fieldsThatDiffer(path: string, expected: unknown, stored: unknown): Found[] {
  if (isRecord(expected) && isRecord(stored)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(stored)]);
    const separator = path.includes(' ') ? '.' : ' ';
    return [...names].flatMap(name =>
      fieldsThatDiffer(`${path}${separator}${name}`, expected[name], stored[name]),
    );
  }
  const [should, is] = [textOf(expected), textOf(stored)];
  return should === is ? [] : [{ what: path, expected: should, stored: is }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
