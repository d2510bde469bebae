// A difference between the read model and the log, and the comparison of values that finds it.

export interface Difference {
  /** Empty for a difference that belongs to no stream. */
  readonly stream: string;
  /** The place, such as `accounts/account-1 cleared`, or a sentence. */
  readonly what: string;
  /** A JSON text; null when no value is expected. */
  readonly expected: string | null;
  /** A JSON text; null when nothing is stored. */
  readonly stored: string | null;
}

/** A difference of one stream. */
export type StreamDifference = Omit<Difference, 'stream'>;

/** Returns the difference in a sentence. */
export function differenceText({ stream, what, expected, stored }: Difference): string {
  const where = stream === '' ? what : `${stream}: ${what}`;
  if (expected === null && stored === null) return where;
  return `${where}: expected ${expected ?? 'nothing'}, stored ${stored ?? 'nothing'}`;
}

/** Returns the innermost fields that differ; the order of keys is irrelevant. */
export function fieldsThatDiffer(
  path: string,
  expected: unknown,
  stored: unknown,
): StreamDifference[] {
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

/** Returns what is expected and what is stored under the same id, in pairs: the expected ones first. */
export function pairsOf<Value>(
  expected: ReadonlyMap<string, Value>,
  stored: ReadonlyMap<string, Value>,
): Pair<Value>[] {
  return [...new Map([...expected, ...stored])].map(([id, either]) => {
    const should = expected.get(id);
    return { id, either: should ?? either, should, is: stored.get(id) };
  });
}

interface Pair<Value> {
  readonly id: string;
  readonly should: Value | undefined;
  readonly is: Value | undefined;
  /** The one of them that exists, the expected one first. */
  readonly either: Value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
