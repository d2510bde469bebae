// A log that lets a test act just before a range of it is read.
import type { EventLog } from '../../src/event-log/event-log.ts';

export function beforeScan(log: EventLog, act: () => unknown): EventLog {
  return {
    ...log,
    async *scan(...range) {
      await act();
      yield* log.scan(...range);
    },
  };
}
