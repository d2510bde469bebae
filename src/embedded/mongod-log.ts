// The log of the embedded mongod: kept small by rotation, and read for the reason when mongod does not start, or ended.
import type { ChildProcess } from 'node:child_process';
import { open, rename, stat, statfs } from 'node:fs/promises';
import { UserError } from '../process/errors.ts';
import { fileErrorCode, fileErrorCodeIn, fileProblem } from '../process/file-errors.ts';
import { ended, type MongodFiles } from './mongod-process.ts';

const LOG_BYTES_MAX = 10 * 2 ** 20;
const READ_BYTES = 2 ** 20;

/** Renames a log above LOG_BYTES_MAX, replacing the one renamed before. Returns the byte at which new lines begin. */
export async function rotateLog(path: string): Promise<number> {
  const stats = await stat(path).catch(() => null);
  if (stats === null) return 0;
  if (stats.size <= LOG_BYTES_MAX) return stats.size;
  await rename(path, `${path}.1`);
  return 0;
}

/** Returns the first error in the log from that byte on, or null. Later errors are only consequences of it. */
async function firstLogError(path: string, from: number): Promise<string | null> {
  const lines = (await read(path, from)).split('\n').filter(line => line !== '');
  return lines.map(errorOf).find(error => error !== null) ?? null;
}

interface LogLine {
  /** Severity: F(atal), E(rror), W(arning), I(nformation). */
  readonly s?: string;
  readonly msg?: string;
  readonly attr?: { readonly error?: unknown; readonly message?: unknown };
}

function errorOf(line: string): string | null {
  try {
    const { s, msg, attr } = JSON.parse(line) as LogLine;
    if ((s !== 'F' && s !== 'E') || msg === undefined) return null;
    const detail = detailOf(attr?.message) ?? detailOf(attr?.error);
    return [msg.trim(), detail].filter(text => text !== null).join(': ');
  } catch {
    // mongod prints invalid options as plain text, before its JSON log begins.
    return /error/i.test(line) ? line.trim() : null;
  }
}

function detailOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim().split('\n')[0] ?? null;
  if (typeof value !== 'object' || value === null) return null;
  const { error_str, errmsg } = value as { error_str?: unknown; errmsg?: unknown };
  return detailOf(error_str ?? errmsg);
}

async function read(path: string, from: number): Promise<string> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** With less free space the disk counts as full: mongod cannot log that on a full disk. */
const FREE_BYTES_MIN = 1_048_576;

interface FailedMongod {
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
  if (logged?.includes('DBPathInUse')) {
    const message = `MongoDB ${outcome} on ${files.db}: another mongod runs on it; end that one, and start again`;
    return new UserError(message, { cause });
  }
  const reason = logged ?? (cause as Error | undefined)?.message;
  const [, dataSeconds, clockSeconds] = CLOCK_BEHIND.exec(reason ?? '') ?? [];
  if (dataSeconds !== undefined && clockSeconds !== undefined) {
    const [written, now] = [dataSeconds, clockSeconds].map(dateOf);
    const message = `MongoDB ${outcome} on ${files.db}: this machine's clock says ${now}, and the folder was written until ${written}; set the clock, and start again`;
    return new UserError(message, { cause });
  }
  return new UserError(
    `MongoDB ${outcome} on ${files.db}${reason === undefined ? '' : `: ${reason}`} (its log: ${files.log}). ` +
      `Name the mongod version that wrote this folder${wrote ? ` (${wrote})` : ''} in MONGOMS_SYSTEM_BINARY, ` +
      'restore it from a backup, or move it away: the read model is then built again from the log, ' +
      'tokens have to be issued again, and events that were skipped have to be skipped again',
    { cause },
  );
}

/** mongod takes no time that is more than a year ahead of its own clock. */
const CLOCK_BEHIND =
  /clusterTime, (\d{1,11}), is too far from this node's wall clock time, (\d{1,11})/;

function dateOf(seconds: string): string {
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 10);
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
