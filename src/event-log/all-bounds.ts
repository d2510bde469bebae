// Where the log begins and ends now.
import type { EventLog, LogBounds } from './event-log.ts';

/** Returns the bounds of each partition of the log, in order. On Kafka, each takes two requests to the brokers. */
export async function allBounds(eventLog: EventLog): Promise<LogBounds[]> {
  const all: LogBounds[] = [];
  for (let partition = 0; partition < (await eventLog.partitions()); partition += 1) {
    all.push(await eventLog.bounds(partition));
  }
  return all;
}
