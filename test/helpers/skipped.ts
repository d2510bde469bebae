// Tests that this machine cannot run.
import type { TestFn } from 'ava';

/** Returns a test function whose tests are skipped. */
export function skipped<T>(test: TestFn<T>): TestFn<T> {
  const skip = (title: string, run: never) => test.skip(title, run);
  return Object.assign(skip, { serial: skip }) as unknown as TestFn<T>;
}
