// An event log that runs a function of the test before each scan.
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
