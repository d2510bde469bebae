// Batches whose values show whether the batch is complete.
import type { NewRecord } from '../../src/event-log/event-log.ts';

const STREAMS = 7;
const RECORDS_MAX = 24;
const MEMO_BYTES = 90;

/** Returns the records of a batch; its number determines how many they are, their lengths and their streams. */
export function batchOf(number: number): NewRecord[] {
  const count = 1 + ((number * 11) % RECORDS_MAX);
  return Array.from({ length: count }, (_, index) => {
    const subject = `stream-${(number + index) % STREAMS}`;
    const memo = 'm'.repeat((number * 31 + index * 17) % MEMO_BYTES);
    return { key: subject, value: JSON.stringify({ subject, number, index, memo }) };
  });
}

/** Returns the number of the batch that the value belongs to. */
export function batchNumberOf(value: string): number {
  return (JSON.parse(value) as { number: number }).number;
}
