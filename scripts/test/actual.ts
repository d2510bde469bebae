// Actual Budget's own engine for a test run, which some imports are compared with.
import { UserError } from '../../src/process/errors.ts';
import { installActual } from '../actual/install-actual.ts';
import type { Resource } from './resource.ts';

export async function actual(): Promise<Resource> {
  const stop = async () => {};
  const report = (line: string): boolean => process.stderr.write(`${line}\n`);
  try {
    return { env: { TEST_ACTUAL_FOLDER: await installActual(process.env, report) }, stop };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // In CI too: not every machine has a compiler, or reaches the site that has a compiled one.
    report(`${error.message}. Comparisons with Actual's own engine are SKIPPED.`);
    return { env: { TEST_ACTUAL_MISSING: error.message }, stop };
  }
}
