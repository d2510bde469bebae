// Splits fetched records into batches within the limits. Pure.
import type { BatchLimits, LogRecord } from '../event-log.ts';
import type { VisibleRecords } from './visible-records.ts';

/** Records of a batch, and the offsets from `from` up to, not including, `to` that they cover. */
export interface Cut {
  readonly from: number;
  readonly to: number;
  readonly records: readonly LogRecord[];
}

/** The last batch covers the rest of the fetch; offsets without visible records make an empty batch. */
export function* cutBatches(
  { from, to, records }: VisibleRecords,
  { recordsMax, bytesMax }: BatchLimits,
): Generator<Cut> {
  let begin = from;
  let batch: LogRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = record.value?.length ?? 0;
    if (batch.length > 0 && (batch.length === recordsMax || bytes + size > bytesMax)) {
      const end = (batch.at(-1)?.offset ?? begin) + 1;
      yield { from: begin, to: end, records: batch };
      begin = end;
      batch = [];
      bytes = 0;
    }
    batch.push(record);
    bytes += size;
  }
  if (to > begin) yield { from: begin, to, records: batch };
}
