// The log of the embedded mongod: kept small by rotation, and read for the reason when mongod does not start.
import { open, rename, stat } from 'node:fs/promises';

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
export async function firstLogError(path: string, from: number): Promise<string | null> {
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
