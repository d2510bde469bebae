// A database before whose calls a test acts: it forces an interleaving, or makes a process stand still.
import type { Db } from 'mongodb';

export interface DatabaseCall {
  /** Null for a command of the database. */
  readonly collection: string | null;
  readonly method: string;
}

/** Cursors are no calls. */
const METHODS = ['findOne', 'insertOne', 'replaceOne', 'updateOne', 'updateMany', 'deleteMany'];

/** Returns the same database; each call waits until `act` is done. */
export function beforeCalls(db: Db, act: (call: DatabaseCall) => unknown): Db {
  const waiting = (target: object, name: string | symbol, collection: string | null): unknown => {
    const value: unknown = Reflect.get(target, name);
    if (typeof value !== 'function') return value;
    if (!(collection === null ? name === 'command' : METHODS.includes(String(name))))
      return value.bind(target);
    return async (...given: unknown[]) => {
      await act({ collection, method: String(name) });
      return await Reflect.apply(value, target, given);
    };
  };
  return new Proxy(db, {
    get: (target, name) =>
      name === 'collection'
        ? (...given: Parameters<Db['collection']>) =>
            new Proxy(target.collection(...given), {
              get: (found, method) => waiting(found, method, found.collectionName),
            })
        : waiting(target, name, null),
  });
}
