// Converts the data of an event from an older schema version to the current one on reading (rules/events.md#schema-versions).

/** Converts the data of one version to the next. Must be pure, and leave its input unchanged. */
export type Upcaster = (data: unknown) => unknown;

/** The upcasters of one event type: key 1 converts version 1 to 2. The current version is one above the last key. */
export type TypeUpcasters = Readonly<Record<number, Upcaster>>;

/** Upcasters by event type, for types with older versions. */
export type Upcasters = ReadonlyMap<string, TypeUpcasters>;

export type Upcast = (
  type: string,
  schemaversion: number,
  data: unknown,
) => { readonly ok: true; readonly data: unknown } | { readonly ok: false };

const VERSION_FIRST = 1;

/** Empty, as no type has a second version yet. */
export const UPCASTERS: Upcasters = new Map();

/** Returns a function that applies the upcasters; a version that they do not reach the current one from is not ok. */
export function createUpcast(upcasters: Upcasters): Upcast {
  return (type, schemaversion, data) => {
    const steps = upcasters.get(type);
    const current = VERSION_FIRST + (steps === undefined ? 0 : Object.keys(steps).length);
    if (schemaversion < VERSION_FIRST || schemaversion > current) return { ok: false };
    let upcasted = data;
    for (let version = schemaversion; version < current; version++) {
      const step = steps?.[version];
      if (step === undefined) return { ok: false };
      upcasted = step(upcasted);
    }
    return { ok: true, data: upcasted };
  };
}
