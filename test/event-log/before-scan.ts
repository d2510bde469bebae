// A log that lets a test act just before a range of it is read.
import type { EventLog } from '../../src/event-log/event-log.ts';

export function beforeScan(
  log: EventLog,
  act: (partition: number, from: number, to: number) => unknown,
): EventLog {
  return {
    ...log,
    async *scan(...range) {
      const [partition, from, to] = range;
      await act(partition, from, to);
      yield* log.scan(...range);
    },
  };
}
