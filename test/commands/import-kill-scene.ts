// Kills imports at random points: the log must have all events of an import or none, and the next import goes through.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { makeZip } from '../helpers/make-zip.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { createRandom } from '../histories/random.ts';
import { actualFiles, FINANCES } from '../import/actual-files.ts';
import type { Ended, Started } from './started.ts';

/** As many kills as `IMPORT_KILLS` says. */
export const KILLS = Number(process.env.IMPORT_KILLS ?? 3);
const ROWS = 2000;

export interface KillScene {
  /** Starts a command of the product. */
  run(...args: readonly string[]): Started;
  /** The subjects of all records in the log, in their order. */
  subjects(): Promise<string[]>;
}

/** Returns the path of an export with many transactions; `salt` makes it another file. */
async function exportFile(folder: string, salt: number): Promise<string> {
  const more = Array.from({ length: ROWS }, (_, index) => ({
    id: `many-${index}`,
    acct: 'acc-bank',
    category: 'c-food',
    amount: -100 - salt,
    date: 20260301 + (index % 28),
  }));
  const rows = { ...FINANCES, transactions: [...(FINANCES.transactions ?? []), ...more] };
  const { database, metadata } = await actualFiles(rows);
  const path = join(folder, `export-${salt}.zip`);
  await writeFile(path, makeZip([database, metadata]));
  return path;
}

/** @param seed of the points at which imports are killed */
export async function killImports(
  t: ExecutionContext,
  seed: number,
  scene: KillScene,
): Promise<void> {
  const folder = await temporaryFolder(t);
  const random = createRandom(seed);
  const importing = (path: string) => scene.run('import', 'actual', path, '--user', 'anna');
  const budgetOf = ({ out, err }: Ended) => / as budget (\S+?)[ ;]/.exec(`${out}${err}`)?.[1] ?? '';
  const numberOf = async (budget: string) =>
    (await scene.subjects()).filter(subject => subject === budget).length;
  const startedAtMs = performance.now();
  const whole = await importing(await exportFile(folder, 0)).ended;
  const undisturbedMs = performance.now() - startedAtMs;
  t.is(whole.code, 0, whole.err);
  const all = await numberOf(budgetOf(whole));
  t.true(all > ROWS);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const path = await exportFile(folder, kill);
    const started = importing(path);
    await sleep(random.next() * undisturbedMs);
    started.child.kill('SIGKILL');
    await started.ended;
    const again = await importing(path).ended;
    const budget = budgetOf(again);
    // A broker may end what the killed one asked for after its death: only the next import knows.
    if (again.code !== 0) t.regex(again.err, /^This file was imported already/, `kill ${kill}`);
    t.is(await numberOf(budget), all, `kill ${kill}`);
  }
}
