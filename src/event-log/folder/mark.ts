// The mark: the one small file that says what is committed. Whatever stands in segments beyond it does not exist.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { isMissing } from '../../errors.ts';
import { DamagedLogError } from '../damaged-log-error.ts';
import { replaceFile } from './durable.ts';
import { MARK_FILE } from './layout.ts';

/** The committed end of a partition. */
export interface MarkedEnd {
  /** Offset of the next record. */
  readonly end: number;
  /** First offset of the last segment. */
  readonly segment: number;
  /** Committed bytes of the last segment. */
  readonly bytes: number;
}

export interface Mark {
  /** Batches committed so far. */
  readonly commit: number;
  readonly partitions: readonly MarkedEnd[];
}

export function firstMark(partitions: number): Mark {
  const empty: MarkedEnd = { end: 0, segment: 0, bytes: 0 };
  return { commit: 0, partitions: Array.from({ length: partitions }, () => empty) };
}

/** Commits: durable when it resolves. The segments must be durable before. */
export async function writeMark(folder: string, mark: Mark): Promise<void> {
  const text = JSON.stringify(mark);
  await replaceFile(join(folder, MARK_FILE), `${checksum(text)} ${text}\n`);
}

/** The mark as it stands, perhaps not durable yet: a reader makes it so first (see view.ts). */
export async function readMark(folder: string, partitions: number): Promise<Mark> {
  const path = join(folder, MARK_FILE);
  const mark = parseMark(await readText(path));
  if (mark === null || mark.partitions.length !== partitions) {
    throw new DamagedLogError(
      `${path} is damaged: expected a checksum and the committed ends of ${partitions} partitions; restore the folder from a backup`,
    );
  }
  return mark;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new DamagedLogError(`${path} is missing; restore the folder from a backup`, {
      cause: error,
    });
  }
}

/** Null for a text whose checksum is wrong; a text with the right one was written by writeMark. */
function parseMark(text: string): Mark | null {
  const [, sum, json] = /^([0-9a-f]{8}) (.+)\n$/.exec(text) ?? [];
  if (json === undefined || checksum(json) !== sum) return null;
  return JSON.parse(json) as Mark;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
