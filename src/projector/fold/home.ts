// The home of a stream: the partition that murmur2 of its key names, and no other. The rule needs no memory, so live
// projection, rebuilds and verification agree, whatever the order in which they read the partitions. Pure.
import type { Head } from '../../../projections/documents.ts';
import type { LogRecord } from '../../event-log/event-log.ts';
import { partitionOf } from '../../event-log/partition-of.ts';

/** Returns why a record of a stream is not at its home among so many partitions, for operators; null where it is. */
export function misplacedReason(
  subject: string,
  { partition, offset }: Pick<LogRecord, 'partition' | 'offset'>,
  partitions: number,
): string | null {
  const expected = partitionOf(subject, partitions);
  if (partition === expected) return null;
  return `Expected a record of ${subject} in partition ${expected}, which murmur2 of its key names, got it at offset ${offset} of partition ${partition}: set the partitioner of its producer to murmur2 (librdkafka: partitioner=murmur2_random)`;
}

/** Returns whether a stream has an event. A decision makes a head in a generation that has not met the stream yet. */
export function hasBegun({ sequence, held, deleted }: Head): boolean {
  return sequence > 0 || deleted || (held?.queued ?? 0) > 0;
}

/**
 * Returns whether a record belongs to its stream. Only an event makes a stream, so a record without a sequence
 * belongs to one that has begun: an event of it lies before, in the same partition.
 */
export function belongsTo(isBegun: boolean, { sequence }: { readonly sequence: number }): boolean {
  return isBegun || sequence > 0;
}
