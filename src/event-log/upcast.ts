// Lifts the data of an event from an older schema version to the current one, when it is read (events.md).

/** Makes the data of the next version from that of one version; pure, the input is left alone. */
export type Upcaster = (data: unknown) => unknown;

/** The upcasters of one event type: `1` lifts version 1 to 2. The current version is one above the last. */
export type TypeUpcasters = Readonly<Record<number, Upcaster>>;

/** The upcasters of each type that has older versions. */
export type Upcasters = ReadonlyMap<string, TypeUpcasters>;

export type Upcast = (
  type: string,
  schemaversion: number,
  data: unknown,
) => { readonly ok: true; readonly data: unknown } | { readonly ok: false };

const VERSION_FIRST = 1;

/** No type has a second version yet: the first upcaster is registered here. */
export const UPCASTERS: Upcasters = new Map();

/** Lifting by the given upcasters; a version without a way to the current one is not ok. */
export function createUpcast(upcasters: Upcasters): Upcast {
  return (type, schemaversion, data) => {
    const steps = upcasters.get(type);
    const current = VERSION_FIRST + (steps === undefined ? 0 : Object.keys(steps).length);
    if (schemaversion < VERSION_FIRST || schemaversion > current) return { ok: false };
    let lifted = data;
    for (let version = schemaversion; version < current; version++) {
      const step = steps?.[version];
      if (step === undefined) return { ok: false };
      lifted = step(lifted);
    }
    return { ok: true, data: lifted };
  };
}
