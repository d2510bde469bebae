// Assertions about a state that is reached after a while.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';

/** Long, because it only ends a test that fails anyway. */
const PATIENCE_MS = 300_000;
const POLL_MS = 100;

/** Repeats the assertions until all of them pass in one attempt; after PATIENCE_MS the last failure fails the test. */
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
