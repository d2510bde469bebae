// Batches that tell by themselves whether they are whole.
import type { NewRecord } from '../../src/event-log/event-log.ts';

const STREAMS = 7;
const RECORDS_MAX = 24;
const MEMO_BYTES = 90;

/** The records of a batch; its number decides how many they are, how long and of which streams. */
export function batchOf(number: number): NewRecord[] {
  const count = 1 + ((number * 11) % RECORDS_MAX);
  return Array.from({ length: count }, (_, index) => {
    const subject = `stream-${(number + index) % STREAMS}`;
    const memo = 'm'.repeat((number * 31 + index * 17) % MEMO_BYTES);
    return { key: subject, value: JSON.stringify({ subject, number, index, memo }) };
  });
}

/** The number of the batch that a value came with. */
export function batchNumberOf(value: string): number {
  return (JSON.parse(value) as { number: number }).number;
}
