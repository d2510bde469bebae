// Makes the segments what the mark says, before a writer goes on: an uncommitted tail is cut off.
import { open, rm } from 'node:fs/promises';
import { isMissing, UserError } from '../../errors.ts';
import { syncFolder } from './durable.ts';
import { listSegments, partitionFolder, segmentFile } from './layout.ts';
import { type Mark, type MarkedEnd, readMark } from './mark.ts';

const LINE_FEED = 0x0a;

/** Needs the lock. Every cut is durable before the next line is written behind it. */
export async function recover(folder: string, partitions: number): Promise<Mark> {
  const mark = await readMark(folder, partitions);
  // An earlier writer may have died before it made its last mark durable.
  await syncFolder(folder);
  for (const [partition, end] of mark.partitions.entries()) {
    await removeUncommittedSegments(folder, partition, end);
    if (end.bytes > 0) await cutTail(segmentFile(folder, partition, end.segment), end.bytes);
  }
  return mark;
}

async function removeUncommittedSegments(
  folder: string,
  partition: number,
  end: MarkedEnd,
): Promise<void> {
  const segments = await listSegments(folder, partition);
  const uncommitted = segments.filter(first => first > end.segment || end.bytes === 0);
  for (const first of uncommitted) await rm(segmentFile(folder, partition, first));
  if (uncommitted.length > 0) await syncFolder(partitionFolder(folder, partition));
}

async function cutTail(path: string, bytes: number): Promise<void> {
  const handle = await openOrExplain(path);
  try {
    const { size } = await handle.stat();
    const last = Buffer.alloc(1);
    await handle.read(last, 0, 1, bytes - 1);
    if (size < bytes || last[0] !== LINE_FEED) {
      throw new UserError(
        `${path} is damaged: expected at least ${bytes} bytes with a whole line at their end, got ${size} bytes; restore the folder from a backup`,
      );
    }
    if (size === bytes) return;
    await handle.truncate(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openOrExplain(path: string) {
  try {
    return await open(path, 'r+');
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new UserError(`${path} is missing; restore the folder from a backup`, { cause: error });
  }
}
