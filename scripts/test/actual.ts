// Actual Budget's own engine for a test run, which some imports are compared with.
import { UserError } from '../../src/errors.ts';
import { installActual } from '../actual/install-actual.ts';
import type { Resource } from './resource.ts';

/** @param args those of `npm test`; if none of them needs the engine, it is not installed */
export async function actual(args: readonly string[]): Promise<Resource> {
  const stop = async () => {};
  if (!needsActual(args)) return { env: {}, stop };
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

/** Returns whether all tests are to run, or one whose name says that it needs the engine. */
export function needsActual(args: readonly string[]): boolean {
  const files = args.filter(argument => /\.test\.[jt]s$/.test(argument));
  return files.length === 0 || files.some(file => file.includes('.actual.'));
}
