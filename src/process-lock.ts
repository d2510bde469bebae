// A lock that names the process which holds it; the lock of a process that has died is free.
// It is a folder of numbered files; the process named in the one with the highest number holds the
// lock for as long as it lives or until it empties the file. Taking over is making the next number,
// which only one process can do, so a slow contender cannot remove what it never saw.
import { randomBytes } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, isMissing } from './errors.ts';
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.ts';

export interface Lock {
  release(): Promise<void>;
}

export type LockAttempt =
  | (Lock & { readonly held: true })
  | { readonly held: false; readonly by: number };

const LOCK_NAME = /^\d+$/;
const DRAFT_NAME = /\.tmp$/;
const ATTEMPTS_MAX = 100;

/** Takes the lock, also from a process that has died, or answers the number of its live holder. */
export async function takeLock(folder: string): Promise<LockAttempt> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const own = await ownIdentity();
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const highest = Math.max(0, ...(await lockNumbers(folder)));
    const holder = highest === 0 ? null : await readHolder(lockFile(folder, highest));
    if (holder !== null && (await isRunning(holder))) return { held: false, by: holder.pid };
    const number = highest + 1;
    if (!(await createLock(folder, number, own))) continue;
    if (await isHighest(folder, number)) {
      await removeOlder(folder, number);
      return { held: true, release: () => empty(lockFile(folder, number)) };
    }
    // Others came and went since the look; their higher number counts.
    await rm(lockFile(folder, number), { force: true });
  }
  throw new Error(`The lock ${folder} is contended by too many processes`);
}

function lockFile(folder: string, number: number): string {
  return join(folder, String(number).padStart(6, '0'));
}

async function lockNumbers(folder: string): Promise<number[]> {
  return (await readdir(folder)).filter(name => LOCK_NAME.test(name)).map(Number);
}

async function isHighest(folder: string, number: number): Promise<boolean> {
  return Math.max(...(await lockNumbers(folder))) === number;
}

/** Null for a lock that was released, or whose text a power cut has taken (then its holder is gone too). */
async function readHolder(path: string): Promise<ProcessIdentity | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ProcessIdentity;
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return null;
    throw error;
  }
}

/** The file appears with its whole text or not at all; false when the number is taken. */
async function createLock(folder: string, number: number, own: ProcessIdentity): Promise<boolean> {
  const draft = join(folder, `${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(draft, JSON.stringify(own), { mode: 0o600, flag: 'wx' });
    await link(draft, lockFile(folder, number));
    return true;
  } catch (error) {
    // A missing draft was taken for a left-over by the process that has just got the lock.
    if (errorCode(error) === 'EEXIST' || isMissing(error)) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** The one before stays, so that whoever lists while numbers change still sees a high one. */
async function removeOlder(folder: string, number: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const older = LOCK_NAME.test(name) && Number(name) < number - 1;
    if (older || DRAFT_NAME.test(name)) await rm(join(folder, name), { force: true });
  }
}

async function empty(path: string): Promise<void> {
  try {
    await truncate(path, 0);
  } catch (error) {
    // The whole folder may have been removed meanwhile.
    if (!isMissing(error)) throw error;
  }
}
