// Shadow sets: the progress of each, and the process that writes it.
import type { ClientSession, Collection, Long } from 'mongodb';
import { StaleError } from './database-errors.ts';
import { inForm } from './in-form.ts';
import { money } from './stored-values.ts';
import { insertAll } from './write-commands.ts';

export interface ShadowSet {
  /** The stream. */
  readonly subject: string;
  /** `event`: written for the stream's next event; `rebuild`: an operator asked for it. */
  readonly kind: 'event' | 'rebuild';
  readonly partition: number;
  /** The process that claimed the partition. */
  readonly owner: string;
  /** Id of the new document set. */
  readonly set: string;
  /** The documents other than rows are written. */
  readonly begun: boolean;
  /**
   * The last document that was copied from the old set: the place of a row, or `tombstones/` and the id of a tombstone.
   * Null before the first.
   */
  readonly cursor: string | null;
  /** Sum of absolute amounts in the new set so far (the money guard), in hundredths. */
  readonly absolute: number;
}

export type StoredShadowSet = Omit<ShadowSet, 'subject'> & { readonly _id: string };

/** A shadow set as it is written; its money reads back as a number. */
type WrittenShadowSet = Omit<StoredShadowSet, 'absolute'> & { readonly absolute: Long };

/** A shadow set before and after a step; `to` is null when the set is complete or given up. */
export interface ShadowStep {
  readonly from: ShadowSet;
  readonly to: ShadowSet | null;
}

export async function readShadowSet(
  shadowSets: Collection<StoredShadowSet>,
  subject: string,
): Promise<ShadowSet | null> {
  const found = await shadowSets.findOne({ _id: subject });
  if (!found) return null;
  const { _id, ...shadowSet } = found;
  return { subject: _id, ...shadowSet };
}

export async function insertShadowSets(
  shadowSets: Collection<StoredShadowSet>,
  begun: readonly ShadowSet[],
  session: ClientSession,
): Promise<void> {
  if (begun.length === 0) return;
  await insertAll(inForm<WrittenShadowSet>(shadowSets), begun.map(writtenShadowSet), session);
}

/**
 * Stores a step, on condition that the shadow set is still as the step found it.
 *
 * @throws StaleError when the partition has another owner by now
 */
export async function moveShadowSet(
  shadowSets: Collection<StoredShadowSet>,
  { from, to }: ShadowStep,
  session: ClientSession,
): Promise<void> {
  const { subject: _id, owner, set, begun, cursor } = from;
  const filter = { _id, owner, set, begun, cursor };
  const written = inForm<WrittenShadowSet>(shadowSets);
  const changed = to
    ? (await written.updateOne(filter, { $set: withoutId(to) }, { session })).matchedCount
    : (await written.deleteOne(filter, { session })).deletedCount;
  if (changed !== 1)
    throw new StaleError(`The document set of ${_id} is written by another process`);
}

/** Gives the shadow sets of a partition to its new owner, and returns their streams. */
export async function takeOverShadowSets(
  shadowSets: Collection<StoredShadowSet>,
  partition: number,
  owner: string,
): Promise<string[]> {
  const majority = { writeConcern: { w: 'majority' } } as const;
  await shadowSets.updateMany({ partition }, { $set: { owner } }, majority);
  const found = await shadowSets.find({ partition }, { projection: { _id: 1 } }).toArray();
  return found.map(({ _id }) => _id);
}

/** Returns the streams whose next event this process writes as a shadow set. */
export async function ownShadowSets(
  shadowSets: Collection<StoredShadowSet>,
  owner: string,
): Promise<string[]> {
  const filter = { owner, kind: 'event' } as const;
  const found = await shadowSets.find(filter, { projection: { _id: 1 } }).toArray();
  return found.map(({ _id }) => _id);
}

function writtenShadowSet(shadowSet: ShadowSet): WrittenShadowSet {
  return { _id: shadowSet.subject, ...withoutId(shadowSet) };
}

function withoutId({ subject, absolute, ...shadowSet }: ShadowSet): Omit<WrittenShadowSet, '_id'> {
  return { ...shadowSet, absolute: money(absolute) };
}
