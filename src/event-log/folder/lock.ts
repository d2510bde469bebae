// One writer at a time. Lock files are numbered; the process named in the one with the highest number
// holds the lock for as long as it lives or until it empties the file. Taking over is making the next
// number, which only one process can do, so a slow contender cannot remove what it never saw.
import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../errors.ts';
import { errorCode, FILE_MODE, isMissing } from './layout.ts';
import { processIdentity } from './process-identity.ts';

export interface Lock {
  release(): Promise<void>;
}

interface Owner {
  readonly pid: number;
  readonly identity: string;
}

const LOCK_NAME = /^writer\.(\d+)\.lock$/;
const DRAFT_NAME = /^writer\..+\.tmp$/;
const ATTEMPTS_MAX = 100;

/** Takes the lock, also from a process that has died; throws a UserError that names a live holder. */
export async function acquireLock(folder: string): Promise<Lock> {
  const identity = await processIdentity(process.pid);
  if (identity === null) throw new Error(`Process ${process.pid} cannot find itself`);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const highest = Math.max(0, ...(await lockNumbers(folder)));
    const owner = highest === 0 ? null : await readOwner(lockFile(folder, highest));
    if (owner !== null && (await processIdentity(owner.pid)) === owner.identity) {
      throw new UserError(
        `The log in ${folder} is being written by process ${owner.pid}; wait until that has finished or stop it`,
      );
    }
    const number = highest + 1;
    if (!(await createLock(folder, number, { pid: process.pid, identity }))) continue;
    if (await isHighest(folder, number)) {
      await removeOlder(folder, number);
      return { release: () => empty(lockFile(folder, number)) };
    }
    // Others came and went since the look; their higher number counts.
    await rm(lockFile(folder, number), { force: true });
  }
  throw new UserError(`The lock of the log in ${folder} is contended by too many processes`);
}

function lockFile(folder: string, number: number): string {
  return join(folder, `writer.${String(number).padStart(6, '0')}.lock`);
}

async function lockNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names
    .map(name => LOCK_NAME.exec(name)?.[1])
    .filter(digits => digits !== undefined)
    .map(Number);
}

async function isHighest(folder: string, number: number): Promise<boolean> {
  return Math.max(...(await lockNumbers(folder))) === number;
}

/** Null for a lock that was released, or whose text a power cut has taken (then its holder is gone too). */
async function readOwner(path: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner;
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return null;
    throw error;
  }
}

/** The file appears with its whole text or not at all; false when the number is taken. */
async function createLock(folder: string, number: number, owner: Owner): Promise<boolean> {
  const draft = join(folder, `writer.${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  await writeFile(draft, JSON.stringify(owner), { mode: FILE_MODE, flag: 'wx' });
  try {
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
    const older = Number(LOCK_NAME.exec(name)?.[1]) < number - 1;
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
