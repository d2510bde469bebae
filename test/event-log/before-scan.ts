// An event log that runs a function of the test before each scan.
import type { EventLog, PartitionRange } from '../../src/event-log/event-log.ts';

export function beforeScan(eventLog: EventLog, act: (range: PartitionRange) => unknown): EventLog {
  return {
    ...eventLog,
    async *scan(range, signal) {
      await act(range);
      yield* eventLog.scan(range, signal);
    },
  };
}
