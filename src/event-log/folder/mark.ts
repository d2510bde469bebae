// The mark: one small file with the committed end of each partition. Readers ignore all bytes of segments past it.
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { isMissing } from '../../process/errors.ts';
import { DamagedLogError } from '../event-log.ts';
import { syncFolder, writeDraft } from './durable.ts';
import { MARK_FILE, namesIn } from './layout.ts';

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
  /** Grows with each committed batch, and with each writer that begins. */
  readonly commit: number;
  /**
   * Id of its writer: two may count to the same number. None in a log that nobody has opened for writing, and in those of
   * earlier releases.
   */
  readonly writer?: string;
  readonly partitions: readonly MarkedEnd[];
}

export function firstMark(partitions: number): Mark {
  const empty: MarkedEnd = { end: 0, segment: 0, bytes: 0 };
  return { commit: 0, partitions: Array.from({ length: partitions }, () => empty) };
}

/**
 * Commits: the mark is durable when this resolves. The segments must be durable before the call.
 *
 * Two writers may come here at once, of which one stood still until it lost its lock. All drafts become the mark by way of
 * one name, and a writer that begins removes them (writer.ts): one that goes on at whatever step finds no draft, or makes
 * that of the other the mark, never its own.
 *
 * @param before the mark to replace; null for a new log
 * @throws Error when another process has written one meanwhile
 */
export async function writeMark(folder: string, mark: Mark, before: Mark | null): Promise<void> {
  const path = join(folder, MARK_FILE);
  const text = JSON.stringify(mark);
  const draft = await writeDraft(path, `${checksum(text)} ${text}\n`);
  try {
    await expectReplaceable(folder, before);
    await rename(draft, `${path}.tmp`);
    await expectReplaceable(folder, before);
    await rename(`${path}.tmp`, path);
  } catch (error) {
    await rm(draft, { force: true });
    if (!isMissing(error)) throw error;
  }
  await syncFolder(folder);
  await expectMark(folder, mark);
}

/** Only a log that nobody has written to may begin again. */
async function expectReplaceable(folder: string, before: Mark | null): Promise<void> {
  if (before !== null) return expectMark(folder, before);
  const text = await readFile(join(folder, MARK_FILE), 'utf8').catch(unlessMissing);
  const found = text === null ? null : parseMark(text);
  if (found !== null && found.commit > 0) throw new Error(TAKEN);
}

function unlessMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

const TAKEN = 'Another process has written to the log';

/** A writer that stood still for long may have lost its lock to a process that could not see it. */
export async function expectMark(folder: string, mark: Mark): Promise<void> {
  const found = await readMark(folder, mark.partitions.length);
  if (!isSameMark(found, mark)) throw new Error(TAKEN);
}

export function isSameMark(one: Mark, other: Mark): boolean {
  return one.commit === other.commit && one.writer === other.writer;
}

/** Removes the drafts of writers that were stopped, or stand still. */
export async function removeDrafts(folder: string): Promise<void> {
  const isDraft = (name: string) => name.startsWith(`${MARK_FILE}.`);
  for (const name of (await namesIn(folder)).filter(isDraft)) {
    await rm(join(folder, name), { force: true });
  }
}

/** Returns the mark, which may not be durable yet: readers make it durable first (view.ts). */
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
  const text = await readFile(path, 'utf8').catch(unlessMissing);
  if (text !== null) return text;
  throw new DamagedLogError(`${path} is missing; restore the folder from a backup`);
}

/** Returns null for a text with a wrong checksum. The right one proves the shape: only writeMark writes it. */
function parseMark(text: string): Mark | null {
  const [, sum, json] = /^([0-9a-f]{8}) (.+)\n$/.exec(text) ?? [];
  if (json === undefined || checksum(json) !== sum) return null;
  return JSON.parse(json) as Mark;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
