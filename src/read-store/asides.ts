// Document sets that are written aside: how far each is, and whose turn it is.
import type { ClientSession, Collection, Long } from 'mongodb';
import { StaleError } from './heads.ts';
import { inForm } from './in-form.ts';
import { money } from './stored-values.ts';
import { insertAll } from './write-commands.ts';

export interface Aside {
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

export type StoredAside = Omit<Aside, 'subject'> & { readonly _id: string };

/** An aside as it is written; its money reads back as a number. */
type WrittenAside = Omit<StoredAside, 'absolute'> & { readonly absolute: Long };

/** From what a step began, and what it left; null when the set is done, or given up. */
export interface AsideStep {
  readonly from: Aside;
  readonly to: Aside | null;
}

export async function readAside(
  asides: Collection<StoredAside>,
  subject: string,
): Promise<Aside | null> {
  const found = await asides.findOne({ _id: subject });
  if (!found) return null;
  const { _id, ...aside } = found;
  return { subject: _id, ...aside };
}

export async function insertAsides(
  asides: Collection<StoredAside>,
  begun: readonly Aside[],
  session: ClientSession,
): Promise<void> {
  if (begun.length === 0) return;
  await insertAll(inForm<WrittenAside>(asides), begun.map(writtenAside), session);
}

/** Moves an aside on, against what the step began from: a former owner of the partition fails here. */
export async function moveAside(
  asides: Collection<StoredAside>,
  { from, to }: AsideStep,
  session: ClientSession,
): Promise<void> {
  const { subject: _id, owner, set, begun, cursor } = from;
  const filter = { _id, owner, set, begun, cursor };
  const written = inForm<WrittenAside>(asides);
  const done = to
    ? (await written.updateOne(filter, { $set: withoutId(to) }, { session })).matchedCount
    : (await written.deleteOne(filter, { session })).deletedCount;
  if (done !== 1) throw new StaleError(`The document set of ${_id} is written by another process`);
}

/** Gives the asides of a partition to its new owner; answers the streams. */
export async function takeOverAsides(
  asides: Collection<StoredAside>,
  partition: number,
  owner: string,
): Promise<string[]> {
  await asides.updateMany({ partition }, { $set: { owner } }, { writeConcern: { w: 'majority' } });
  const found = await asides.find({ partition }, { projection: { _id: 1 } }).toArray();
  return found.map(({ _id }) => _id);
}

/** The streams whose new set this process is to write. */
export async function ownAsides(asides: Collection<StoredAside>, owner: string): Promise<string[]> {
  const found = await asides.find({ owner, kind: 'event' }, { projection: { _id: 1 } }).toArray();
  return found.map(({ _id }) => _id);
}

function writtenAside(aside: Aside): WrittenAside {
  return { _id: aside.subject, ...withoutId(aside) };
}

function withoutId({ subject, absolute, ...aside }: Aside): Omit<WrittenAside, '_id'> {
  return { ...aside, absolute: money(absolute) };
}
