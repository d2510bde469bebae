// A folder for one test, removed when the test ends.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

/** What ends when a test does; scripts offer the same. */
export type Teardown = Pick<ExecutionContext, 'teardown'>;

export async function temporaryFolder(t: Teardown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'budgeting-test-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
