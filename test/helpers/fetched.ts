// Tests that need a tool from a package registry, which a machine may not reach.
import type { TestFn } from 'ava';
import { UserError } from '../../src/process/errors.ts';
import { skipped } from './skipped.ts';

/**
 * Returns the tool that a test needs; null where it cannot be had, in CI too: a registry that is out of reach is no
 * failure of a change. `.ci/run` repeats at its end what was not run.
 *
 * @param what the tool is for
 * @param fetch throws a UserError where the tool cannot be had
 */
export async function fetchedFor<Tool>(
  what: string,
  fetch: () => Promise<Tool>,
): Promise<Tool | null> {
  try {
    return await fetch();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    process.stderr.write(`${error.message}\nNOT RUN: ${what}\n`);
    return null;
  }
}

/** The test function for tests that need the tool: they are skipped without it. */
export function fetchedTest<Context>(test: TestFn<Context>, tool: unknown): TestFn<Context> {
  return tool === null ? skipped(test) : test;
}
