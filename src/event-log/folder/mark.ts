// The mark: one small file with the committed end of each partition. Readers ignore all bytes of segments past it.
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { isMissing, UserError } from '../../process/errors.ts';
import { DamagedLogError } from '../event-log.ts';
import { createFile, syncFolder, writeDraft } from './durable.ts';
import { expectFile, MARK_FILE, META_FILE, namesIn } from './layout.ts';

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

/** Returns whether the first mark of a log was created; false if one is there. */
export async function createMark(folder: string, mark: Mark): Promise<boolean> {
  return await createFile(join(folder, MARK_FILE), textOf(mark));
}

/**
 * Commits: the mark is durable when this resolves. The segments must be durable before the call.
 *
 * Two writers may come here at once, of which one stood still until it lost its lock. Drafts that replace the same mark
 * become the mark by way of one name, and a writer that begins removes all drafts: one that goes on at whatever step finds
 * no draft, or makes the mark what replaces the mark that it found.
 *
 * @param before the mark to replace
 * @throws UserError when another process has written one meanwhile
 */
export async function writeMark(folder: string, mark: Mark, before: Mark): Promise<void> {
  const path = join(folder, MARK_FILE);
  const draft = await writeDraft(path, textOf(mark));
  const common = `${path}.${before.commit}.${before.writer ?? 'none'}.tmp`;
  try {
    await expectMark(folder, before);
    await rename(draft, common);
    await expectMark(folder, before);
    await rename(common, path);
  } catch (error) {
    await rm(draft, { force: true });
    if (!isMissing(error)) throw error;
  }
  await syncFolder(folder);
  await expectMark(folder, mark);
}

function textOf(mark: Mark): string {
  const text = JSON.stringify(mark);
  return `${checksum(text)} ${text}\n`;
}

/** A writer that stood still for long may have lost its lock to a process that could not see it. */
export async function expectMark(folder: string, mark: Mark): Promise<void> {
  const found = await readMark(folder, mark.partitions.length);
  if (isSameMark(found, mark)) return;
  throw new UserError(
    `Another process has written to the log in ${folder}: try again when it has ended`,
  );
}

export function isSameMark(one: Mark, other: Mark): boolean {
  return one.commit === other.commit && one.writer === other.writer;
}

const DRAFT_NAME = new RegExp(`^(?:${MARK_FILE}|${META_FILE})\\..*tmp$`);

/** Removes the drafts of processes that were stopped, or stand still. */
export async function removeDrafts(folder: string): Promise<void> {
  for (const name of (await namesIn(folder)).filter(one => DRAFT_NAME.test(one))) {
    await rm(join(folder, name), { force: true });
  }
}

/** Returns the number of partitions in the mark of a log that nobody has written to yet, null if somebody has. */
export async function unusedPartitions(folder: string): Promise<number | null> {
  const path = join(folder, MARK_FILE);
  const mark = parseMark(await expectFile(path, readFile(path, 'utf8')));
  if (mark === null) throw new DamagedLogError(`${path} is damaged: expected a checksum`);
  return mark.commit === 0 ? mark.partitions.length : null;
}

/** Returns the mark, which may not be durable yet: readers make it durable first (view.ts). */
export async function readMark(folder: string, partitions: number): Promise<Mark> {
  const path = join(folder, MARK_FILE);
  const mark = parseMark(await expectFile(path, readFile(path, 'utf8')));
  if (mark === null || mark.partitions.length !== partitions) {
    throw new DamagedLogError(
      `${path} is damaged: expected a checksum and the committed ends of ${partitions} partitions; restore the folder from a backup`,
    );
  }
  return mark;
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
