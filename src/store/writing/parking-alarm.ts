// The parking alarm of a generation: one stored count for all partitions and processes, which survives restarts. When
// it reaches its limit, the generation is paused until an operator resumes it.
import type { ClientSession, Collection } from 'mongodb';
import type { GenerationCollections, ParkedExample, Pause, StoredAlarm } from '../collections.ts';
import type { HeadChange } from '../heads.ts';
import { parkingLimit, tooManyParked, WINDOW_SECONDS } from '../parking-limit.ts';
import { MAJORITY } from '../write-commands.ts';

/** The streams that a fold parks, and the approximate number of all streams. */
export interface Parking {
  readonly parked: readonly HeadChange[];
  readonly streams: number;
}

/** The generation is paused: nothing was applied. */
export class PausedError extends Error {
  override readonly name = 'PausedError';
}

/** The fold would have parked too many streams: nothing was applied, and the generation must be paused. */
export class TooManyParkedError extends Error {
  override readonly name = 'TooManyParkedError';
  readonly examples: readonly ParkedExample[];
  /** Number of earlier pauses. */
  readonly pauses: number;

  constructor(reason: string, examples: readonly ParkedExample[], pauses: number) {
    super(reason);
    this.examples = examples;
    this.pauses = pauses;
  }
}

const PARKING = { _id: 'parking' } as const;
const WINDOW_MS = WINDOW_SECONDS * 1000;
const BUCKET_SECONDS = 5;
const EXAMPLES_MAX = 5;

/**
 * Counts parked streams in the transaction that parks them, so that a retried transaction counts them once.
 *
 * @throws PausedError when the generation is paused
 * @throws TooManyParkedError when the limit is reached
 */
export async function countParked(
  alarms: Collection<StoredAlarm>,
  { parked, streams }: Parking,
  session: ClientSession,
): Promise<void> {
  const options = { upsert: true, returnDocument: 'after', session } as const;
  const alarm = await alarms.findOneAndUpdate(PARKING, counting(parked.length), options);
  if (!alarm) throw new Error('The parking alarm was neither found nor made');
  if (alarm.paused) throw new PausedError(alarm.paused.reason);
  const parkings = alarm.buckets.reduce((sum, bucket) => sum + bucket.parked, 0);
  // A stream that was freed and parked again counts twice.
  const count = Math.min(parkings, streams);
  if (count < parkingLimit(streams)) return;
  const examples = parked.slice(0, EXAMPLES_MAX).map(({ now }) => ({
    stream: now.id,
    reason: now.held?.reason ?? '',
  }));
  throw new TooManyParkedError(tooManyParked(count, streams), examples, alarm.pauses);
}

/** The database's clock decides. When it was set back, times in the future no longer count. */
const SINCE = { $subtract: ['$$NOW', WINDOW_MS] };
const UNTIL = { $add: ['$$NOW', WINDOW_MS] };
const BUCKET = { $dateTrunc: { date: '$$NOW', unit: 'second', binSize: BUCKET_SECONDS } };
const IS_DISARMED = {
  $and: [{ $gt: ['$disarmedUntil', '$$NOW'] }, { $lte: ['$disarmedUntil', UNTIL] }],
};

// A bucket counts as long as a part of its span lies within the window.
function counting(parked: number): object[] {
  const since = { $subtract: [SINCE, BUCKET_SECONDS * 1000] };
  const isRecent = { $and: [{ $gt: ['$$this.at', since] }, { $lte: ['$$this.at', UNTIL] }] };
  const recent = { $filter: { input: { $ifNull: ['$buckets', []] }, cond: isRecent } };
  const inBucket = { $filter: { input: recent, cond: { $eq: ['$$this.at', BUCKET] } } };
  const others = { $filter: { input: recent, cond: { $ne: ['$$this.at', BUCKET] } } };
  const before = { $sum: { $map: { input: inBucket, in: '$$this.parked' } } };
  const current = [{ at: BUCKET, parked: { $add: [before, parked] } }];
  return [
    {
      $set: {
        // Each parking while the alarm is disarmed keeps it so for another window.
        buckets: { $cond: [IS_DISARMED, [], { $concatArrays: [others, current] }] },
        disarmedUntil: { $cond: [IS_DISARMED, UNTIL, null] },
        pauses: { $ifNull: ['$pauses', 0] },
        paused: { $ifNull: ['$paused', null] },
      },
    },
  ];
}

/**
 * Pauses a generation, unless it was paused since the error: an operator may have resumed it already. The alarm
 * comes first and each checkpoint follows by itself, because one transaction over all of them would conflict with every
 * chunk under way. If the process is killed in between, the next one that finds the pause stops the other checkpoints.
 */
export async function pauseGeneration(
  collections: GenerationCollections,
  { message, examples, pauses }: TooManyParkedError,
): Promise<void> {
  const isDue = {
    $and: [
      { $eq: [{ $ifNull: ['$paused', null] }, null] },
      { $eq: [{ $ifNull: ['$pauses', 0] }, pauses] },
    ],
  };
  const paused = {
    since: '$$NOW',
    reason: { $literal: message },
    examples: { $literal: examples },
  };
  const set = {
    buckets: { $ifNull: ['$buckets', []] },
    disarmedUntil: { $ifNull: ['$disarmedUntil', null] },
    pauses: { $cond: [isDue, pauses + 1, '$pauses'] },
    paused: { $cond: [isDue, paused, { $ifNull: ['$paused', null] }] },
  };
  await collections.alarms.updateOne(PARKING, [{ $set: set }], { upsert: true, ...MAJORITY });
  await pauseCheckpoints(collections);
}

/** Stops the partitions of a paused generation: afterwards no owner can move a checkpoint. */
export async function pauseCheckpoints({
  alarms,
  checkpoints,
}: GenerationCollections): Promise<void> {
  const alarm = await alarms.findOne(PARKING);
  if (!alarm?.paused) return;
  const { pauses } = alarm;
  const moving = await checkpoints.distinct('_id', { paused: { $ne: pauses } });
  // Each update waits only for the chunk under way in its own partition.
  const stop = (_id: number) =>
    checkpoints.updateOne({ _id }, { $max: { paused: pauses } }, MAJORITY);
  await Promise.all(moving.map(stop));
}

/** Returns the pause of a generation, null when it is not paused. */
export async function readPause(
  { alarms }: Pick<GenerationCollections, 'alarms'>,
  session?: ClientSession,
): Promise<Pause | null> {
  return (await alarms.findOne(PARKING, session ? { session } : {}))?.paused ?? null;
}

/** @throws PausedError when the generation is paused */
export async function refusePaused(
  collections: Pick<GenerationCollections, 'alarms'>,
  session?: ClientSession,
): Promise<void> {
  const pause = await readPause(collections, session);
  if (pause) throw new PausedError(pause.reason);
}

/**
 * Ends a pause, and disarms the alarm until no stream has been parked for a whole window. Returns the pause, null
 * without one.
 */
export async function resumeGeneration({
  alarms,
  checkpoints,
}: GenerationCollections): Promise<Pause | null> {
  const resumed = [{ $set: { paused: null, buckets: [], disarmedUntil: UNTIL } }];
  const options = { returnDocument: 'before', ...MAJORITY } as const;
  const before = await alarms.findOneAndUpdate(
    { ...PARKING, paused: { $ne: null } },
    resumed,
    options,
  );
  if (!before?.paused) return null;
  const ended = { paused: { $lte: before.pauses } };
  await checkpoints.updateMany(ended, { $unset: { paused: '' } }, MAJORITY);
  return before.paused;
}

/**
 * Frees a checkpoint from a pause that has ended, if an interrupted resume or a late process left the mark. Returns the
 * current pause, null without one.
 */
export async function freeCheckpoint(
  { alarms, checkpoints }: GenerationCollections,
  partition: number,
): Promise<Pause | null> {
  const alarm = await alarms.findOne(PARKING);
  if (!alarm || alarm.paused) return alarm?.paused ?? null;
  if (alarm.pauses === 0) return null;
  const ended = { _id: partition, paused: { $lte: alarm.pauses } };
  await checkpoints.updateOne(ended, { $unset: { paused: '' } }, MAJORITY);
  return null;
}
