// Why mongod did not start, or ended: in one line, with what to do.
import type { ChildProcess } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { UserError } from '../errors.ts';
import { fileErrorCode, fileErrorCodeIn, fileProblem } from '../file-errors.ts';
import { firstLogError } from './mongod-log.ts';
import { ended, type MongodFiles } from './mongod-process.ts';

/** mongod cannot say that the disk is full in a log on the same disk; with less than this free, it is. */
const FREE_BYTES_MIN = 1_048_576;

export async function startFailure(
  child: ChildProcess,
  files: MongodFiles,
  logFrom: number,
  cause?: unknown,
): Promise<UserError> {
  const how = ended(child) ? `ended (${child.exitCode ?? child.signalCode})` : 'did not get ready';
  const logged = await firstLogError(files.log, logFrom);
  const code = fileErrorCode(cause) ?? (await diskErrorCode(files, logged));
  if (code !== null) {
    const message = `MongoDB ${how} on ${files.db}: ${fileProblem(code)} (its log: ${files.log})`;
    return new UserError(message, { cause });
  }
  const why = logged ?? (cause as Error | undefined)?.message;
  return new UserError(
    `MongoDB ${how} on ${files.db}${why === undefined ? '' : `: ${why}`} (its log: ${files.log}). ` +
      'Start the mongod version that wrote this folder, restore it from a backup, or move it away: ' +
      'the read model is then built again from the log, tokens have to be issued again',
    { cause },
  );
}

/** Describes a mongod that ended without being stopped. */
export async function deathOf(
  child: ChildProcess,
  files: MongodFiles,
  logFrom: number,
): Promise<UserError> {
  const code = await diskErrorCode(files, await firstLogError(files.log, logFrom));
  const why = code === null ? '' : `: ${fileProblem(code)}`;
  const how = child.signalCode ?? child.exitCode;
  return new UserError(`MongoDB ended by itself (${how})${why}, its log: ${files.log}`);
}

async function diskErrorCode({ db }: MongodFiles, logged: string | null): Promise<string | null> {
  const code = logged === null ? null : fileErrorCodeIn(logged);
  if (code !== null) return code;
  const disk = await statfs(db).catch(() => null);
  return disk !== null && disk.bavail * disk.bsize < FREE_BYTES_MIN ? 'ENOSPC' : null;
}
