// A process that writes to an embedded log for a test. It appends the records of a message and exits, or it appends
// numbered batches until it is killed, and prints the number of each acknowledged batch.
import { writeSync } from 'node:fs';
import type { NewRecord } from '../../src/event-log/event-log.ts';
import { type FolderLogOptions, openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { batchOf } from './numbered-batch.ts';

interface Task {
  readonly records?: readonly NewRecord[];
  /** The number of the first batch. */
  readonly first?: number;
}

const [folder = '', options = '{}'] = process.argv.slice(2);

process.on('message', async (task: Task) => {
  const eventLog = await openFolderLog(folder, {
    ...(JSON.parse(options) as FolderLogOptions),
    writer: true,
  });
  if (task.records !== undefined) await eventLog.append(task.records);
  if (task.first !== undefined) {
    for (let number = task.first; ; number += 1) {
      await eventLog.append(batchOf(number));
      writeSync(1, `${number}\n`);
    }
  }
  await eventLog.close();
  process.exit(0);
});
