// Documents of the simulated store: what filters match, what updates make of them, and values as the driver reads them.
import { Long } from 'mongodb';

export type Doc = Readonly<Record<string, unknown>> & { readonly _id: unknown };

/** Returns a value as it is read back: 64-bit integers as numbers, maps as objects, all of it a copy. */
export function readBack(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Long) return value.toNumber();
  if (Array.isArray(value)) return value.map(readBack);
  if (value instanceof Map) return readBack(Object.fromEntries(value));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const field = (value as Doc)[key];
    copy[key] = typeof field === 'object' ? readBack(field) : field;
  }
  return copy;
}

type Operators = Readonly<Record<string, unknown>>;

/** Returns whether a filter matches a document; null stands for a document that does not exist. */
export function matches(doc: Doc, filter: object): boolean {
  return Object.entries(filter).every(([path, wanted]) => {
    if (path === '$or') return (wanted as object[]).some(one => matches(doc, one));
    return isMatch(at(doc, path), wanted);
  });
}

function at(doc: Doc, path: string): unknown {
  if (!path.includes('.')) return doc[path];
  return path.split('.').reduce((value: unknown, key) => (value as Doc | undefined)?.[key], doc);
}

function isMatch(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) {
    return Array.isArray(value) ? value.includes(wanted) : (value ?? null) === (wanted ?? null);
  }
  const [first] = Object.keys(wanted);
  if (!first?.startsWith('$')) return JSON.stringify(value) === JSON.stringify(readBack(wanted));
  return Object.entries(wanted as Operators).every(([operator, operand]) => {
    switch (operator) {
      case '$in':
        return (operand as unknown[]).some(one => isMatch(value, one));
      case '$ne':
        return !isMatch(value, operand);
      case '$exists':
        return (value !== undefined) === operand;
      case '$gt':
        return value !== undefined && (value as number) > (operand as number);
      case '$gte':
        return value !== undefined && (value as number) >= (operand as number);
      case '$lt':
        return value !== undefined && (value as number) < (operand as number);
      case '$lte':
        return value !== undefined && (value as number) <= (operand as number);
      default:
        throw new Error(`The simulated store knows no ${operator}`);
    }
  });
}

/** Returns a document after an update; `before` is null where it is inserted. */
export function updated(before: Doc | null, update: object, id: unknown): Doc {
  const operators = Array.isArray(update) ? Object.assign({}, ...update) : update;
  const [first] = Object.keys(operators);
  if (!first?.startsWith('$')) return readBack(update) as Doc;
  const now = { _id: id, ...before } as Record<string, unknown> & { _id: unknown };
  for (const [operator, fields] of Object.entries<object>(operators)) {
    const entries = fields instanceof Map ? [...fields] : Object.entries(fields);
    for (const [path, operand] of entries) apply(now, { operator, path, operand, isNew: !before });
  }
  return now;
}

interface Change {
  readonly operator: string;
  readonly path: string;
  readonly operand: unknown;
  readonly isNew: boolean;
}

function apply(doc: Record<string, unknown>, { operator, path, operand, isNew }: Change): void {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let place = doc;
  for (const key of keys) {
    const inner = { ...(place[key] as Record<string, unknown> | undefined) };
    place[key] = inner;
    place = inner;
  }
  const value = place[last] as number | undefined;
  if (operator === '$set' || (operator === '$setOnInsert' && isNew))
    place[last] = readBack(operand);
  else if (operator === '$unset') delete place[last];
  else if (operator === '$inc') place[last] = (value ?? 0) + (operand as number);
  else if (operator === '$max') place[last] = Math.max(value ?? 0, operand as number);
  else if (operator !== '$setOnInsert') {
    throw new Error(`The simulated store knows no ${operator}`);
  }
}
