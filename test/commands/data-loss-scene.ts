// A system of real processes that loses its log: every command reports it, and none creates a new log.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { PLAN_LINES, planFile, REGISTER_ROWS, registerFile } from '../import/ynab-files.ts';
import type { Ended } from './started.ts';

export const REFUSED =
  'Nothing was appended: name the right log or bring back what it has lost, then start the projectors again (docs/operations.md, DATA_LOSS)';

/** Expects exit code 1, nothing done, and these lines on standard error. */
export function refused(t: ExecutionContext, { code, out, err }: Ended, lines: RegExp): void {
  t.is(code, 1, out + err);
  t.is(out, '');
  t.regex(err, lines);
  t.notRegex(err, /^\s+at /m, 'no stack trace');
}

/** Expects that `status` prints what the database knows, then the fault of the log. */
export function reportedByStatus(
  t: ExecutionContext,
  { code, out, err }: Ended,
  line: RegExp,
): void {
  t.is(code, 1, out + err);
  t.regex(
    out,
    /^generation +version +state +applied +lag +oldest +held\ng1 \* +\d+ +active +\d+ of \?/,
  );
  t.regex(err, line);
}

/** Writes an export; returns the arguments that import it. */
export async function exportedBudget(t: ExecutionContext): Promise<string[]> {
  const folder = join(await temporaryFolder(t), 'export');
  await mkdir(folder);
  for (const { name, bytes } of [registerFile(REGISTER_ROWS), planFile(PLAN_LINES)]) {
    await writeFile(join(folder, name), bytes);
  }
  return ['import', 'ynab', folder, '--user', 'anna', '--currency', 'EUR'];
}
