// Assertions about what becomes so, and is not so at once.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';

const PATIENCE_MS = 90_000;
const POLL_MS = 100;

/** Asserts again and again until all of it holds at once; what fails after a long while fails the test. */
export async function eventually(
  t: ExecutionContext,
  assertions: (t: ExecutionContext) => Promise<void>,
): Promise<void> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const tried = await t.try(assertions);
    if (tried.passed || performance.now() > untilMs) return tried.commit();
    tried.discard();
    await sleep(POLL_MS);
  }
}
