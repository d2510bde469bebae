// A folder log and a read model, for commands that use both; the projector runs only when the test calls it.
import type { Db } from 'mongodb';
import type { EventLog, LogRecord } from '../../src/event-log/event-log.ts';
import { openForTest, temporaryPath } from '../event-log/folder-log-under-test.ts';
import type { Teardown } from '../helpers/temporary-folder.ts';
import { stubLog } from '../projector/log-in-memory.ts';
import { createPartitionScene, type PartitionScene } from '../projector/partition-scene.ts';

export interface LogScene extends PartitionScene {
  readonly folderLog: EventLog;
  /** The values of all records of the folder log, in order. */
  texts(): Promise<string[]>;
}

/** The log has one partition; `project` applies the records that it contains at that time. */
export async function createLogScene(t: Teardown, db: Db, given?: EventLog): Promise<LogScene> {
  const folderLog =
    given ?? (await openForTest(t, await temporaryPath(t), { writer: true, partitions: 1 }));
  const records = async (): Promise<LogRecord[]> => {
    const all: LogRecord[] = [];
    const { start, end } = await folderLog.bounds(0);
    for await (const batch of folderLog.scan({ partition: 0, from: start, to: end }))
      all.push(...batch);
    return all;
  };
  const eventLog = stubLog();
  const scene = await createPartitionScene(db, { eventLog });
  return {
    ...scene,
    folderLog,
    async project() {
      eventLog.records.splice(0, eventLog.records.length, ...(await records()));
      return scene.project();
    },
    texts: async () => (await records()).map(({ value }) => Buffer.from(value ?? []).toString()),
  };
}
