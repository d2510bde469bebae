// The reader of a whole test file, with a database of the run, from before the first test until after the last.
import type { FileTest } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { type Served, type ServeOptions, serve } from './serve.ts';

interface UseOptions extends ServeOptions {
  /** Begins the names of the databases. */
  readonly name: string;
}

/**
 * Starts a reader before the tests of a file, then prepares what it serves, and stops it after them. Call it at the top
 * of the file: what is returned may be used from `prepare` on.
 */
export function useServed(
  test: FileTest,
  { name, ...options }: UseOptions,
  prepare: () => Promise<void> = async () => {},
): Served {
  const mongo = useMongo(test);
  let served: Served | undefined;
  test.before(async () => {
    served = await serve(mongo, name, options);
    await prepare();
  });
  mongo.beforeStop(async () => {
    await served?.stop();
  });
  return new Proxy({} as Served, {
    get(_, key) {
      if (!served) throw new Error('The reader runs only in tests and in hooks that follow');
      return Reflect.get(served, key);
    },
  });
}
