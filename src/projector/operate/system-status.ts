// The state of the projector (generations, partitions, held streams) for `status`, the metrics and the operators' page.
import type { Held } from '../../../projections/documents.ts';
import { allBounds, type EventLog } from '../../event-log/event-log.ts';
import {
  type GenerationCollections,
  generationCollections,
  type Pause,
} from '../../store/collections.ts';
import { isFed } from '../../store/generation-plan.ts';
import { HELD_STREAMS, headOf } from '../../store/heads.ts';
import { type NearType, readNearTypes } from '../../store/near-types.ts';
import { type GenerationRecord, readRegistry } from '../../store/registry.ts';
import type { ReadDatabase } from '../../store/snapshot.ts';
import { readPause } from '../../store/writing/parking-alarm.ts';
import { partitionsProgress, sumOf } from '../catch-up.ts';
import { deliveryOf } from '../fold/delivery.ts';
import { orDamage, recordAt } from '../log-damage.ts';
import { type HeldStatus, heldStatuses } from './held-status.ts';

export interface PartitionStatus {
  readonly partition: number;
  /** The next offset to apply. */
  readonly next: number;
  /** The offset of the next record to be written. */
  readonly end: number;
  readonly lagEvents: number;
  /** Age of the oldest event that is not applied; 0 when all are applied. */
  readonly lagSeconds: number;
  /** Since when and why the partition is halted: the log is not the one that was projected. Null otherwise. */
  readonly halted: { readonly at: Date; readonly reason: string } | null;
}

/** A record that belongs to no stream, without its payload. */
export interface QuarantinedStatus {
  readonly partition: number;
  readonly offset: number;
  readonly reason: string | null;
}

export interface GenerationStatus extends GenerationRecord {
  readonly partitions: readonly PartitionStatus[];
  /** Why partitions that are not halted yet will be: only `status` looks for it. */
  readonly damaged?: readonly string[];
  readonly applied: number;
  readonly total: number;
  readonly held: number;
  readonly heldBy: Readonly<Record<Held['why'], number>>;
  /** The first 50 held streams, ordered by id. */
  readonly heldStreams: readonly HeldStatus[];
  /** Records that belong to no stream. */
  readonly quarantined: number;
  /** The newest 10 of them. */
  readonly quarantinedRecords: readonly QuarantinedStatus[];
  /** Unknown event types that are nearly known ones: their events are ignored. */
  readonly nearTypes: readonly NearType[];
  /** Since when and why it waits for an operator to resume it; null while it is not paused. */
  readonly paused: Pause | null;
}

/** Records that nobody can apply yet, because a transaction before them has not ended. */
export interface HiddenStatus {
  readonly partition: number;
  /** The first offset that readers do not see. */
  readonly from: number;
  readonly offsets: number;
}

export interface SystemStatus {
  /** The problem of the log's retention settings, as a sentence; null without one. */
  readonly settingsProblem: string | null;
  /** The partitions that a producer's transaction holds up; they count as read to their end. */
  readonly hidden: readonly HiddenStatus[];
  readonly active: string | null;
  readonly generations: readonly GenerationStatus[];
  readonly rejectedVersions: readonly number[];
}

const HELD_SHOWN_MAX = 50;
const QUARANTINED_SHOWN_MAX = 10;
/** Quarantined records that are counted one by one. */
const COUNTED_MAX = 10_000;

/** @param eventLog null when it cannot be opened; each partition then counts as ending at its checkpoint */
export async function systemStatus(
  readModel: ReadDatabase,
  eventLog: EventLog | null,
  now: Date,
): Promise<SystemStatus> {
  const { active, generations: records, rejectedVersions } = await readRegistry(readModel);
  const generations: GenerationStatus[] = [];
  for (const record of records) {
    const collections = generationCollections(readModel, record.id);
    generations.push(await generationStatus(record, collections, { eventLog, now }));
  }
  const settingsProblem = (await eventLog?.settingsProblem()) ?? null;
  const hidden = eventLog?.hiddenOffsets ? await hiddenOf(eventLog) : [];
  return { active, generations, rejectedVersions, settingsProblem, hidden };
}

async function hiddenOf(eventLog: EventLog): Promise<HiddenStatus[]> {
  const all = Array.from({ length: await eventLog.partitions() }, async (_, partition) => {
    const { from, to } = (await eventLog.hiddenOffsets?.(partition)) ?? { from: 0, to: 0 };
    return { partition, from, offsets: to - from };
  });
  return (await Promise.all(all)).filter(({ offsets }) => offsets > 0);
}

async function generationStatus(
  generation: GenerationRecord,
  collections: GenerationCollections,
  { eventLog, now }: { readonly eventLog: EventLog | null; readonly now: Date },
): Promise<GenerationStatus> {
  const { checkpoints, heads, quarantine } = collections;
  const stored = new Map((await checkpoints.find().toArray()).map(one => [one._id, one]));
  const count = Math.max(0, ...[...stored.keys()].map(id => id + 1));
  const unread = (partition: number) => ({ start: 0, end: stored.get(partition)?.next ?? 0 });
  const all = eventLog
    ? await allBounds(eventLog)
    : Array.from({ length: count }, (_, partition) => unread(partition));
  const progress = partitionsProgress([...stored.values()], all);
  const partitions: PartitionStatus[] = [];
  for (const { partition, next: applied, bounds } of progress) {
    const { start, end } = bounds;
    const next = Math.max(start, applied ?? start);
    const lagSeconds =
      eventLog && next < end ? await ageSeconds(eventLog, { partition, offset: next }, now) : 0;
    const lagEvents = Math.max(0, end - next);
    const halted = stored.get(partition)?.halted ?? null;
    partitions.push({ partition, next, end, lagEvents, lagSeconds, halted });
  }
  const found = await heads.find(HELD_STREAMS).sort({ _id: 1 }).limit(HELD_SHOWN_MAX).toArray();
  const heldStreams = await heldStatuses(collections, found.map(headOf));
  const heldBy = await countHeld(heads);
  const held = Object.values(heldBy).reduce((sum, count) => sum + count, 0);
  const quarantined = await countOf(quarantine);
  const quarantinedRecords = quarantined === 0 ? [] : await lastQuarantined(quarantine);
  const streams = { held, heldBy, heldStreams, quarantined, quarantinedRecords };
  // Nobody resumes what nobody feeds.
  const paused = isFed(generation) ? await readPause(collections) : null;
  const nearTypes = await readNearTypes(collections.nearTypes);
  return { ...generation, partitions, ...sumOf(progress), ...streams, nearTypes, paused };
}

/** Up to a bound each document is counted: after a crash of MongoDB its own count is wrong for good. */
async function countOf(quarantine: GenerationCollections['quarantine']): Promise<number> {
  const counted = await quarantine.countDocuments({}, { limit: COUNTED_MAX, hint: '_id_' });
  if (counted < COUNTED_MAX) return counted;
  return Math.max(counted, await quarantine.estimatedDocumentCount());
}

async function lastQuarantined(
  quarantine: GenerationCollections['quarantine'],
): Promise<QuarantinedStatus[]> {
  const found = quarantine.find().sort({ $natural: -1 }).limit(QUARANTINED_SHOWN_MAX);
  return (await found.toArray()).map(({ partition, offset, reason = null }) => {
    return { partition, offset, reason };
  });
}

// Held streams are few among millions: a sparse index serves this count and the list of the first ones.
async function countHeld(
  heads: GenerationCollections['heads'],
): Promise<GenerationStatus['heldBy']> {
  const groups = await heads
    .aggregate<{ _id: Held['why']; count: number }>([
      { $match: HELD_STREAMS },
      { $group: { _id: '$held.why', count: { $sum: 1 } } },
    ])
    .toArray();
  const counts = { parked: 0, gap: 0, change: 0 };
  for (const { _id, count } of groups) counts[_id] = count;
  return counts;
}

async function ageSeconds(
  eventLog: EventLog,
  { partition, offset }: { readonly partition: number; readonly offset: number },
  now: Date,
): Promise<number> {
  const record = await orDamage(() => recordAt(eventLog, partition, offset));
  // No age is known of a record that the log lost; the partition's halt reports that.
  if (!record || typeof record === 'string') return 0;
  // The lag counts from when the record was written; a log without times leaves the event's own time.
  const since = Date.parse(record.timestamp ?? deliveryOf(record).time);
  return Math.max(0, Math.round((now.getTime() - since) / 1000));
}
