// Brings a log to the state of its mark before a writer starts: what an earlier one has not committed is removed.
import { open, rm } from 'node:fs/promises';
import { syncFolder } from './durable.ts';
import { expectFile, listSegments, partitionFolder, segmentFile } from './layout.ts';
import { expectMark, type Mark, removeDrafts } from './mark.ts';
import { checkEnd } from './whole-lines.ts';

/**
 * The caller must hold the lock. Each cut is durable before the next line is written after it.
 *
 * @throws UserError when another process has written to the log: this one may have stood still
 */
export async function recover(folder: string, mark: Mark): Promise<void> {
  await removeDrafts(folder);
  // The previous writer may have crashed before its last mark was durable.
  await syncFolder(folder);
  const check = () => expectMark(folder, mark);
  for (const [partition, { segment, bytes }] of mark.partitions.entries()) {
    const segments = await listSegments(folder, partition);
    const uncommitted = segments.filter(first => first > segment || bytes === 0);
    for (const first of uncommitted) {
      await check();
      await rm(segmentFile(folder, partition, first));
    }
    if (uncommitted.length > 0) await syncFolder(partitionFolder(folder, partition));
    if (bytes > 0) await cutTail(segmentFile(folder, partition, segment), bytes, check);
  }
}

async function cutTail(path: string, bytes: number, check: () => Promise<void>): Promise<void> {
  const handle = await expectFile(path, open(path, 'r+'));
  try {
    if ((await checkEnd(path, handle, bytes)) === bytes) return;
    await check();
    await handle.truncate(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
