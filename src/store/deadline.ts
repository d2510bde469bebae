// A bound on how long a request waits for the database; the driver has none for a whole operation.
import { DatabaseTimeoutError } from './database-errors.ts';

/** Settles as `work` does, or fails after `timeoutMs` with a DatabaseTimeoutError. What was begun is not undone. */
export async function withDeadline<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const timeOut = () => {
      const message = `Expected the database to answer within ${timeoutMs} ms, got no answer`;
      reject(new DatabaseTimeoutError(message));
    };
    // After this process itself stood still, timers run before an answer is read that came in time.
    timer = setTimeout(() => setImmediate(timeOut), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
