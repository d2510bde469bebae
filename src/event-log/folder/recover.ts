// Brings the segments to the state of the mark before a writer starts: cuts off uncommitted bytes.
import { rm } from 'node:fs/promises';
import { syncFolder } from './durable.ts';
import { listSegments, partitionFolder, segmentFile } from './layout.ts';
import { type Mark, type MarkedEnd, readMark } from './mark.ts';
import { checkEnd, openSegment } from './whole-lines.ts';

/** The caller must hold the lock. Each cut is durable before the next line is written after it. */
export async function recover(folder: string, partitions: number): Promise<Mark> {
  const mark = await readMark(folder, partitions);
  // The previous writer may have crashed before its last mark was durable.
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
  const handle = await openSegment(path, 'r+');
  try {
    if ((await checkEnd(path, handle, bytes)) === bytes) return;
    await handle.truncate(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
