// The lock that allows one writer of a folder at a time.
import { join } from 'node:path';
import { UserError } from '../../process/errors.ts';
import { acquireLock, type Lock } from '../../process/process-lock.ts';
import { LOCK_FOLDER } from './layout.ts';

/** @throws UserError that names the writing process */
export async function lockWriter(folder: string): Promise<Lock> {
  const lock = await acquireLock(join(folder, LOCK_FOLDER));
  if (lock.acquired) return lock;
  throw new UserError(
    `The log in ${folder} is being written by process ${lock.holderPid}; wait until that has finished or stop it`,
  );
}
