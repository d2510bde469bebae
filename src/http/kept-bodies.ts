// Keeps small bodies that were answered lately. A body is the same as long as its ETag is, for that is made from all
// that the body depends on; so who asks again for what has not changed costs the database no documents.

export interface KeptBodies {
  /** `name`: of what is asked and of the state that answers it. */
  get<Body extends string | Buffer>(
    name: string,
    read: () => Promise<Body>,
  ): Promise<Body | string>;
}

/** Larger ones are read faster than they would be worth their memory. */
const BODY_CHARACTERS_MAX = 16_384;
const TOTAL_CHARACTERS_MAX = 8 * 2 ** 20;

export function createKeptBodies(totalMax: number = TOTAL_CHARACTERS_MAX): KeptBodies {
  /** In the order of their last use. */
  const bodies = new Map<string, string>();
  let total = 0;

  function keep(name: string, body: string): void {
    forget(name);
    bodies.set(name, body);
    total += name.length + body.length;
    for (const oldest of bodies.keys()) {
      if (total <= totalMax) break;
      forget(oldest);
    }
  }

  function forget(name: string): void {
    const body = bodies.get(name);
    if (body === undefined) return;
    bodies.delete(name);
    total -= name.length + body.length;
  }

  return {
    async get(name, read) {
      const kept = bodies.get(name);
      const body = kept ?? (await read());
      if (typeof body === 'string' && body.length <= BODY_CHARACTERS_MAX) keep(name, body);
      return body;
    },
  };
}
