// A log that lets a test act just before a range of it is read.
import type { EventLog } from '../../src/event-log/event-log.ts';

export function beforeScan(
  eventLog: EventLog,
  act: (partition: number, from: number, to: number) => unknown,
): EventLog {
  return {
    ...eventLog,
    async *scan(...range) {
      const [partition, from, to] = range;
      await act(partition, from, to);
      yield* eventLog.scan(...range);
    },
  };
}
