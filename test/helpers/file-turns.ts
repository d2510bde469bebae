// The order in which the tests of files that share a process run: file after file, each between its own hooks.

export type Hook = () => unknown;

export interface SharingFile {
  readonly name: string;
  readonly before: Hook[];
  readonly afterEach: Hook[];
  readonly after: Hook[];
}

/** A test that waits for the turn of its file. */
export interface WaitingTest {
  readonly file: SharingFile;
  readonly isSerial: boolean;
  /** Resolves when the test has ended, and what it tears down is gone. */
  start(): Promise<void>;
  fail(error: unknown): void;
}

export function sharingFile(name: string): SharingFile {
  return { name, before: [], afterEach: [], after: [] };
}

/** Runs all tests, and returns the errors of the hooks after them. Serial tests come first, as in ava. */
export async function takeTurns(waiting: readonly WaitingTest[]): Promise<unknown[]> {
  const failed: unknown[] = [];
  for (const file of new Set(waiting.map(test => test.file))) {
    const tests = waiting.filter(test => test.file === file);
    try {
      for (const hook of file.before) await hook();
      for (const test of tests.filter(({ isSerial }) => isSerial)) await test.start();
      await Promise.all(tests.filter(({ isSerial }) => !isSerial).map(test => test.start()));
    } catch (error) {
      for (const test of tests) test.fail(error);
    }
    // What was opened last is closed first.
    for (const hook of file.after.toReversed()) {
      try {
        await hook();
      } catch (error) {
        failed.push(error);
      }
    }
  }
  return failed;
}
