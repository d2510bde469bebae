// Explains in one line why mongod did not start, or ended, and what to do.
import type { ChildProcess } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { UserError } from '../process/errors.ts';
import { fileErrorCode, fileErrorCodeIn, fileProblem } from '../process/file-errors.ts';
import { firstLogError } from './mongod-log.ts';
import { ended, type MongodFiles } from './mongod-process.ts';

/** With less free space the disk counts as full: mongod cannot log that on a full disk. */
const FREE_BYTES_MIN = 1_048_576;

export interface FailedMongod {
  readonly child: ChildProcess;
  readonly files: MongodFiles;
  /** Byte of the log at which this run's lines begin. */
  readonly logFrom: number;
  /** The version that wrote the folder, if it is known. */
  readonly wrote?: string | undefined;
}

/** Describes a mongod that did not start, or could not be prepared because of `cause`. */
export async function startFailure(failed: FailedMongod, cause?: unknown): Promise<UserError> {
  const { child, files, logFrom, wrote } = failed;
  const outcome = ended(child)
    ? `ended (${child.exitCode ?? child.signalCode})`
    : 'did not get ready';
  const logged = await firstLogError(files.log, logFrom);
  const code = fileErrorCode(cause) ?? (await diskErrorCode(files, logged));
  if (code !== null) {
    const message = `MongoDB ${outcome} on ${files.db}: ${fileProblem(code)} (its log: ${files.log})`;
    return new UserError(message, { cause });
  }
  const reason = logged ?? (cause as Error | undefined)?.message;
  return new UserError(
    `MongoDB ${outcome} on ${files.db}${reason === undefined ? '' : `: ${reason}`} (its log: ${files.log}). ` +
      `Name the mongod version that wrote this folder${wrote ? ` (${wrote})` : ''} in MONGOMS_SYSTEM_BINARY, ` +
      'restore it from a backup, or move it away: the read model is then built again from the log, ' +
      'tokens have to be issued again, and events that were skipped have to be skipped again',
    { cause },
  );
}

/** Describes a mongod that ended without being stopped. */
export async function deathOf({ child, files, logFrom }: FailedMongod): Promise<UserError> {
  const code = await diskErrorCode(files, await firstLogError(files.log, logFrom));
  const reason = code === null ? '' : `: ${fileProblem(code)}`;
  const exit = child.signalCode ?? child.exitCode;
  return new UserError(`MongoDB ended by itself (${exit})${reason}, its log: ${files.log}`);
}

async function diskErrorCode({ db }: MongodFiles, logged: string | null): Promise<string | null> {
  const code = logged === null ? null : fileErrorCodeIn(logged);
  if (code !== null) return code;
  const disk = await statfs(db).catch(() => null);
  return disk !== null && disk.bavail * disk.bsize < FREE_BYTES_MIN ? 'ENOSPC' : null;
}
