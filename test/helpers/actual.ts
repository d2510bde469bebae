// Actual Budget's own engine for tests.
import type { TestFn } from 'ava';
import { installActual } from '../../scripts/actual/install-actual.ts';
import { skipped } from './skipped.ts';

/** The test function for tests that need the engine. They are skipped where it could not be installed, in CI too. */
export function actualTest<T>(test: TestFn<T>): TestFn<T> {
  const why = process.env.TEST_ACTUAL_MISSING;
  if (!why) return test;
  process.stderr.write(`${why}: tests that need it are skipped\n`);
  return skipped(test);
}

/** Returns the folder of the engine; installs it if the test run has not done so. */
export async function actualFolder(): Promise<string> {
  const report = (line: string) => void process.stderr.write(`${line}\n`);
  return process.env.TEST_ACTUAL_FOLDER ?? (await installActual(process.env, report));
}
