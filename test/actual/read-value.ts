// Checks values that come from outside at the boundary, so that the code behind it has types.

export type Read<T> = (value: unknown, place: string) => T;

function expected(what: string, value: unknown, place: string): Error {
  return new Error(`Expected ${place} to be ${what}, got ${JSON.stringify(value)}`);
}

export const text: Read<string> = (value, place) => {
  if (typeof value === 'string') return value;
  throw expected('text', value, place);
};

/** Undefined counts as null. */
export const textOrNull: Read<string | null> = (value, place) =>
  value === null || value === undefined ? null : text(value, place);

export const integer: Read<number> = (value, place) => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw expected('an integer', value, place);
};

export const flag: Read<boolean> = (value, place) => {
  if (typeof value === 'boolean') return value;
  throw expected('true or false', value, place);
};

export function list<T>(item: Read<T>): Read<T[]> {
  return (value, place) => {
    if (!Array.isArray(value)) throw expected('a list', value, place);
    return value.map((one, index) => item(one, `${place}[${index}]`));
  };
}

type Shape = Readonly<Record<string, Read<unknown>>>;
type Shaped<S extends Shape> = { readonly [K in keyof S]: ReturnType<S[K]> };

export function object<S extends Shape>(shape: S): Read<Shaped<S>> {
  return (value, place) => {
    if (typeof value !== 'object' || value === null) throw expected('an object', value, place);
    const fields = new Map(Object.entries(value));
    const read = Object.entries(shape).map(([name, field]) => [
      name,
      field(fields.get(name), `${place}.${name}`),
    ]);
    // The entries come from the shape itself.
    return Object.fromEntries(read) as Shaped<S>;
  };
}
