// Heads of streams: every change of a stream goes through its head, by compare-and-set on what was read.
import type { ClientSession, Collection } from 'mongodb';
import type { Head } from '../../projections/documents.ts';
import { money, type StoredHead } from './collections.ts';
import { noWrites, write } from './write-commands.ts';

export interface HeadChange {
  readonly loaded: Head | null;
  readonly now: Head;
}

/** Someone else changed a stream, or took the partition: what was folded is stale and must be folded anew. */
export class StaleError extends Error {
  override readonly name = 'StaleError';
}

/** Held streams, in the form that their sparse index answers: they are few among millions. */
export const HELD_STREAMS = { 'held.why': { $exists: true } } as const;

export async function loadHeads(
  heads: Collection<StoredHead>,
  ids: readonly string[],
): Promise<Map<string, Head>> {
  const stored = await heads.find({ _id: { $in: [...ids] } }).toArray();
  return new Map(stored.map(head => [head._id, headOf(head)]));
}

export function headOf({ _id, ...head }: StoredHead): Head {
  return { id: _id, ...head };
}

/** Writes heads in a transaction, each against what was loaded. */
export async function writeHeads(
  heads: Collection<StoredHead>,
  changes: readonly HeadChange[],
  session: ClientSession,
): Promise<void> {
  const writes = noWrites();
  for (const { loaded, now } of changes) {
    const document = storedHead(now);
    if (loaded) writes.updates.push({ q: unchanged(loaded), u: document });
    else writes.inserts.push(document);
  }
  const met = await write(heads as unknown as Collection, writes, session);
  if (met !== changes.length) throw new StaleError('A stream was changed by another process');
}

// An embedded document is compared byte for byte, and Held is always written in one order of fields.
function unchanged({ id, sequence, eventId, set, held }: Head) {
  return { _id: id, sequence, eventId, set, held: held && storedHeld(held) };
}

function storedHeld({ since, why, reason, queued, entry }: NonNullable<Head['held']>) {
  return { since, why, reason, queued, ...(entry !== undefined && { entry }) };
}

function storedHead({ id, budget, held, ...head }: Head): StoredHead {
  const stored = {
    _id: id,
    partition: head.partition,
    sequence: head.sequence,
    eventId: head.eventId,
    set: head.set,
    held: held && storedHeld(held),
    budget: budget && { ...budget, absolute: money(budget.absolute) },
    space: head.space,
    deleted: head.deleted,
  };
  // The driver's 64-bit integer stands where the type says number: it reads back as one.
  return stored as unknown as StoredHead;
}
