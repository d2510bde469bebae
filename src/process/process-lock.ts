// A lock between processes that names its holder; the lock of a dead process is free.
// It is a folder of numbered files. The process named in the file with the highest number has the lock until it dies or
// empties the file. A process takes the lock by creating the next number, which only one can do. So a slow contender
// never removes the lock of a process that it has not seen. The holder touches its file, so that processes of other
// containers, who cannot see it, wait and see whether it lives. One machine has the folder: others see no process of it.
import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, isMissing, nullIfMissing } from './errors.ts';
import { makeFolders } from './make-folders.ts';
import { isInSight, isRunning, ownIdentity, type ProcessIdentity } from './process-identity.ts';
import { delay } from './waiting.ts';

export interface Lock {
  release(): Promise<void>;
}

export type LockAttempt =
  | (Lock & { readonly acquired: true })
  | { readonly acquired: false; readonly holderPid: number };

const LOCK_NAME = /^\d+$/;
const DRAFT_NAME = /\.tmp$/;
const ATTEMPTS_MAX = 100;
const TOUCH_MS = 2000;
/** A holder out of sight that touches nothing for so long has died. */
const SILENT_MS_MAX = 10_000;
const LOOK_MS = 250;

/**
 * Takes the lock, also from a dead process, or returns the pid of its live holder.
 *
 * @param silentMsMax how long a holder out of sight may touch nothing
 */
export async function acquireLock(
  folder: string,
  silentMsMax = SILENT_MS_MAX,
): Promise<LockAttempt> {
  await makeFolders(folder, 0o700);
  const own = await ownIdentity();
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const highest = Math.max(0, ...(await lockNumbers(folder)));
    const holder = highest === 0 ? null : await readHolder(lockFile(folder, highest));
    const path = lockFile(folder, highest);
    if (holder !== null && (await isAlive(path, { holder, own, silentMsMax })))
      return { acquired: false, holderPid: holder.pid };
    const number = highest + 1;
    if (!(await createLock(folder, number, own))) continue;
    if (await isHighest(folder, number)) {
      await removeOlder(folder, number);
      return { acquired: true, release: kept(lockFile(folder, number)) };
    }
    // Other processes took and released the lock in the meantime; the highest number wins.
    await rm(lockFile(folder, number), { force: true });
  }
  throw new Error(`The lock ${folder} is contended by too many processes`);
}

interface Contended {
  readonly holder: ProcessIdentity;
  readonly own: ProcessIdentity;
  readonly silentMsMax: number;
}

async function isAlive(path: string, { holder, own, silentMsMax }: Contended): Promise<boolean> {
  if (await isRunning(holder)) return true;
  if (isInSight(own, holder)) return false;
  // By changes of the time, not by the time: the clocks may differ.
  const first = await touchedAt(path);
  // Nor by the time that passed: where this process stood still, the holder may have stood still too.
  for (let waits = 0; waits * LOOK_MS < silentMsMax; waits += 1) {
    await delay(LOOK_MS);
    const now = await touchedAt(path);
    // A lock that was released or taken meanwhile is looked at again.
    if (now === null || (await readHolder(path)) === null) return false;
    if (now !== first) return true;
  }
  return false;
}

async function touchedAt(path: string): Promise<number | null> {
  return (await nullIfMissing(stat(path)))?.mtimeMs ?? null;
}

/** Keeps the lock in sight of all; returns what releases it. */
function kept(path: string): () => Promise<void> {
  const touch = () => void utimes(path, new Date(), new Date()).catch(() => {});
  const timer = setInterval(touch, TOUCH_MS).unref();
  return async () => {
    clearInterval(timer);
    // The whole folder may have been removed.
    await nullIfMissing(truncate(path, 0));
  };
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

/** Returns null for a released lock, and for a text damaged by a power cut, which also ended its holder. */
async function readHolder(path: string): Promise<ProcessIdentity | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ProcessIdentity;
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return null;
    throw error;
  }
}

/** Creates the file atomically with its text. Returns false if the number is taken. */
async function createLock(folder: string, number: number, own: ProcessIdentity): Promise<boolean> {
  const draft = join(folder, `${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(draft, JSON.stringify(own), { mode: 0o600, flag: 'wx' });
    await link(draft, lockFile(folder, number));
    return true;
  } catch (error) {
    // The draft is missing if the process that has just taken the lock removed it as a leftover.
    if (errorCode(error) === 'EEXIST' || isMissing(error)) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Keeps the previous number, so that a process that lists the folder meanwhile still sees a high number. */
async function removeOlder(folder: string, number: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const older = LOCK_NAME.test(name) && Number(name) < number - 1;
    if (older || DRAFT_NAME.test(name)) await rm(join(folder, name), { force: true });
  }
}
