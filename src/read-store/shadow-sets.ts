// Shadow sets: how far each is, and which process writes it.
import type { ClientSession, Collection, Long } from 'mongodb';
import { StaleError } from './heads.ts';
import { inForm } from './in-form.ts';
import { money } from './stored-values.ts';
import { insertAll } from './write-commands.ts';

export interface ShadowSet {
  /** The stream. */
  readonly subject: string;
  /** For its next event, or because an operator asked. */
  readonly kind: 'event' | 'rebuild';
  readonly partition: number;
  /** The process that has the partition. */
  readonly owner: string;
  /** Id of the document set that is written. */
  readonly set: string;
  /** Documents other than rows are written. */
  readonly begun: boolean;
  /** Place of the last row of the old set that was taken over; null before the first. */
  readonly cursor: string | null;
  /** Sum of absolute amounts in the new set so far (the money guard), in hundredths. */
  readonly absolute: number;
}

export type StoredShadowSet = Omit<ShadowSet, 'subject'> & { readonly _id: string };

/** A shadow set as it is written; its money reads back as a number. */
type WrittenShadowSet = Omit<StoredShadowSet, 'absolute'> & { readonly absolute: Long };

/** From what a step began, and what it left; null when the set is done, or given up. */
export interface ShadowStep {
  readonly from: ShadowSet;
  readonly to: ShadowSet | null;
}

export async function readShadowSet(
  asides: Collection<StoredShadowSet>,
  subject: string,
): Promise<ShadowSet | null> {
  const found = await asides.findOne({ _id: subject });
  if (!found) return null;
  const { _id, ...shadowSet } = found;
  return { subject: _id, ...shadowSet };
}

export async function insertShadowSets(
  asides: Collection<StoredShadowSet>,
  begun: readonly ShadowSet[],
  session: ClientSession,
): Promise<void> {
  if (begun.length === 0) return;
  await insertAll(inForm<WrittenShadowSet>(asides), begun.map(writtenShadowSet), session);
}

/** Moves a shadow set on, against what the step began from: a former owner of the partition fails here. */
export async function moveShadowSet(
  asides: Collection<StoredShadowSet>,
  { from, to }: ShadowStep,
  session: ClientSession,
): Promise<void> {
  const { subject: _id, owner, set, begun, cursor } = from;
  const filter = { _id, owner, set, begun, cursor };
  const written = inForm<WrittenShadowSet>(asides);
  const done = to
    ? (await written.updateOne(filter, { $set: withoutId(to) }, { session })).matchedCount
    : (await written.deleteOne(filter, { session })).deletedCount;
  if (done !== 1) throw new StaleError(`The document set of ${_id} is written by another process`);
}

/** Gives the shadow sets of a partition to its new owner; returns the streams. */
export async function takeOverShadowSets(
  asides: Collection<StoredShadowSet>,
  partition: number,
  owner: string,
): Promise<string[]> {
  await asides.updateMany({ partition }, { $set: { owner } }, { writeConcern: { w: 'majority' } });
  const found = await asides.find({ partition }, { projection: { _id: 1 } }).toArray();
  return found.map(({ _id }) => _id);
}

/** The streams whose new set this process is to write. */
export async function ownShadowSets(
  asides: Collection<StoredShadowSet>,
  owner: string,
): Promise<string[]> {
  const found = await asides.find({ owner, kind: 'event' }, { projection: { _id: 1 } }).toArray();
  return found.map(({ _id }) => _id);
}

function writtenShadowSet(shadowSet: ShadowSet): WrittenShadowSet {
  return { _id: shadowSet.subject, ...withoutId(shadowSet) };
}

function withoutId({ subject, absolute, ...shadowSet }: ShadowSet): Omit<WrittenShadowSet, '_id'> {
  return { ...shadowSet, absolute: money(absolute) };
}
