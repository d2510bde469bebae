// Shadow sets: the progress of each, and the process that writes it.
import type { ClientSession, Collection, Long } from 'mongodb';
import { StaleError } from './database-errors.ts';
import type { StoredHead } from './heads.ts';
import { inForm, money } from './stored-form.ts';
import { insertAll, MAJORITY } from './write-commands.ts';

export interface ShadowSet {
  /** The stream. */
  readonly subject: string;
  /** `event`: written for the stream's next event; `rebuild`: an operator asked for it. */
  readonly kind: 'event' | 'rebuild';
  readonly partition: number;
  /** The process that writes it; empty until the owner of the partition adopts it. */
  readonly owner: string;
  /** Id of the new document set. */
  readonly set: string;
  /** The documents other than rows are written. */
  readonly begun: boolean;
  /**
   * Before it is begun, the number of parts that are written, and of all: `3/7`; or `removed` and the id of the last
   * document that was, because the event is invalid. Then the last document that was copied from the old set: the place
   * of a row, or `tombstones/` and the id of a tombstone. Null before the first.
   */
  readonly cursor: string | null;
  /** Sum of absolute amounts in the new set so far (the money guard), in hundredths. */
  readonly absolute: number;
}

export type StoredShadowSet = Omit<ShadowSet, 'subject'> & {
  readonly _id: string;
  /** The epoch of the claim under which it was adopted. */
  readonly epoch?: number;
  /** Until when the process of a rebuild may be silent; by the database's clock. */
  readonly leaseUntil?: Date;
};

/** A rebuild whose process is silent for longer is ended by the owner of the partition. */
export const REBUILD_LEASE_MS = 20_000;
export const REBUILD_LEASE_RENEWAL_MS = 5_000;

/**
 * Matches rebuilds whose lease has run out; those of earlier releases had none. One that ends long from now is from before
 * the database's clock was set back.
 */
const IS_LAPSED = {
  $or: [
    { $lte: ['$leaseUntil', '$$NOW'] },
    { $gt: ['$leaseUntil', { $add: ['$$NOW', 2 * REBUILD_LEASE_MS] }] },
  ],
};

/** A shadow set as it is written; its money reads back as a number. */
type WrittenShadowSet = Omit<StoredShadowSet, 'absolute'> & { readonly absolute: Long };

/** A shadow set before and after a step; `to` is null when the set is complete or given up. */
export interface ShadowStep {
  readonly from: ShadowSet;
  readonly to: ShadowSet | null;
  /** The step takes place only once the lease has run out. */
  readonly ifLapsed?: true;
}

export async function readShadowSet(
  shadowSets: Collection<StoredShadowSet>,
  subject: string,
  session?: ClientSession,
): Promise<ShadowSet | null> {
  const found = await shadowSets.findOne({ _id: subject }, session ? { session } : {});
  if (!found) return null;
  const { _id, epoch: _, leaseUntil: __, ...shadowSet } = found;
  return { subject: _id, ...shadowSet };
}

export async function insertShadowSets(
  shadowSets: Collection<StoredShadowSet>,
  begun: readonly ShadowSet[],
  session: ClientSession,
): Promise<void> {
  const written = begun.map(one => ({ _id: one.subject, ...withoutId(one) }));
  await insertAll(inForm<WrittenShadowSet>(shadowSets), written, session);
}

/**
 * Stores a step, on condition that the shadow set is still as the step found it.
 *
 * @throws StaleError when the partition has another owner by now
 */
export async function moveShadowSet(
  shadowSets: Collection<StoredShadowSet>,
  { from, to, ifLapsed }: ShadowStep,
  session: ClientSession,
): Promise<void> {
  const { subject: _id, owner, set, begun, cursor } = from;
  const filter = { _id, owner, set, begun, cursor, ...(ifLapsed && { $expr: IS_LAPSED }) };
  const written = inForm<WrittenShadowSet>(shadowSets);
  const changed = to
    ? (await written.updateOne(filter, { $set: withoutId(to) }, { session })).matchedCount
    : (await written.deleteOne(filter, { session })).deletedCount;
  if (changed !== 1)
    throw new StaleError(`The document set of ${_id} is written by another process`);
}

/**
 * Gives a big change to the owner of its partition, unless it was adopted under a later claim. The steps of a former
 * writer no longer match.
 */
export async function adoptShadowSet(
  shadowSets: Collection<StoredShadowSet>,
  subject: string,
  { owner, epoch }: { readonly owner: string; readonly epoch: number },
): Promise<void> {
  const isOlder = { $or: [{ epoch: { $exists: false } }, { epoch: { $lt: epoch } }] };
  const filter = { _id: subject, kind: 'event', ...isOlder } as const;
  await shadowSets.updateOne(filter, { $set: { owner, epoch } }, MAJORITY);
}

/** Renews the lease of a rebuild, in the session's transaction if one is given. */
export async function renewLease(
  shadowSets: Collection<StoredShadowSet>,
  { subject: _id, owner, set }: Pick<ShadowSet, 'subject' | 'owner' | 'set'>,
  session?: ClientSession,
): Promise<void> {
  const leaseUntil = { $add: ['$$NOW', REBUILD_LEASE_MS] };
  const options = session ? { session } : MAJORITY;
  await shadowSets.updateOne({ _id, owner, set }, [{ $set: { leaseUntil } }], options);
}

/** A shadow set as its lease shows it. */
export interface LeasedSet extends Pick<ShadowSet, 'subject' | 'partition' | 'kind'> {
  /** It has no lease, or one that has run out. */
  readonly isLapsed: boolean;
  /** Of the claim under which it was adopted; missing before. */
  readonly epoch?: number;
}

export function leasedSets(
  shadowSets: Collection<StoredShadowSet>,
  filter: object,
): Promise<LeasedSet[]> {
  const shown = { _id: 0, subject: '$_id', partition: 1, kind: 1, epoch: 1, isLapsed: IS_LAPSED };
  return shadowSets.aggregate<LeasedSet>([{ $match: filter }, { $project: shown }]).toArray();
}

function withoutId({ subject, absolute, ...shadowSet }: ShadowSet): Omit<WrittenShadowSet, '_id'> {
  return { ...shadowSet, absolute: money(absolute) };
}

/** A stream that is held for work, or has a shadow set. */
export interface StreamInWork extends Pick<ShadowSet, 'subject' | 'partition'> {
  /** The last one that was applied; null for a stream with a shadow set. */
  readonly sequence: number | null;
  readonly work: LeasedSet | null;
}

interface WorkCollections {
  readonly heads: Collection<StoredHead>;
  readonly shadowSets: Collection<StoredShadowSet>;
}

/** Returns the streams of some partitions that are held for work. */
export async function streamsInWork(
  { heads, shadowSets }: WorkCollections,
  partitions: readonly number[],
): Promise<StreamInWork[]> {
  const inThem = { partition: { $in: [...partitions] } };
  const held = await heads
    .find({ 'held.why': 'change', ...inThem }, { projection: { partition: 1, sequence: 1 } })
    .toArray();
  const sets = await leasedSets(shadowSets, inThem);
  const withSet = new Set(sets.map(({ subject }) => subject));
  const alone = held.filter(({ _id }) => !withSet.has(_id));
  return [
    ...sets.map(work => ({ ...work, sequence: null, work })),
    ...alone.map(({ _id, ...head }) => ({ subject: _id, ...head, work: null })),
  ];
}
