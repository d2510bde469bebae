// Heads of streams. Every change to a stream is a compare-and-set on its head, against the head that was read.
import { isDeepStrictEqual } from 'node:util';
import type { ClientSession, Collection, Long } from 'mongodb';
import type { BudgetFields, Head, Held } from '../../projections/documents.ts';
import { newHead } from '../../projections/new-head.ts';
import { StaleError } from './database-errors.ts';
import { inForm, money } from './stored-form.ts';
import { noWrites, write } from './write-commands.ts';

export type StoredHead = Omit<Head, 'id'> & { _id: string };

/** A head as it is written; its money reads back as a number. */
type WrittenHead = Omit<StoredHead, 'budget'> & {
  budget: (Omit<BudgetFields, 'absolute'> & { absolute: Long }) | null;
};

export interface HeadChange {
  readonly loaded: Head | null;
  readonly now: Head;
}

/** Matches held streams by their sparse index: they are few among millions. */
export const HELD_STREAMS = { 'held.why': { $exists: true } } as const;

/** Matches deleted budgets by their partial index. */
export const DELETED = { deleted: true } as const;

/** @param session a transaction, whose view of the heads is read */
export async function loadHeads(
  heads: Collection<StoredHead>,
  ids: readonly string[],
  session?: ClientSession,
): Promise<Map<string, Head>> {
  const loaded = new Map<string, Head>();
  for (const some of inFilters(ids)) {
    const found = heads.find({ _id: { $in: some } }, session ? { session } : {});
    for (const head of await found.toArray()) loaded.set(head._id, headOf(head));
  }
  return loaded;
}

/** As many ids as one filter names: it would become too large for a command. */
const FILTER_IDS_MAX = 10_000;

export function* inFilters(ids: readonly string[]): Generator<string[]> {
  for (let at = 0; at < ids.length; at += FILTER_IDS_MAX) yield ids.slice(at, at + FILTER_IDS_MAX);
}

export async function loadHead(
  heads: Collection<StoredHead>,
  id: string,
  session?: ClientSession,
): Promise<Head | null> {
  return (await loadHeads(heads, [id], session)).get(id) ?? null;
}

export function headOf({ _id, ...head }: StoredHead): Head {
  return { id: _id, ...head };
}

/** Returns whether a compare-and-set on one head would find the other. */
export function isSameHead(one: Head | null, other: Head | null): boolean {
  return isDeepStrictEqual(one && unchanged(one), other && unchanged(other));
}

/**
 * Writes heads in a transaction, each on condition that it is still as loaded.
 *
 * @throws StaleError when another process changed one of them
 */
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
  const written = await write(heads, writes, session);
  if (written !== changes.length) throw new StaleError('A stream was changed by another process');
}

/** A stream to count a decision on. */
interface DecidedStream extends Pick<Head, 'id' | 'partition'> {
  /** Null leaves it as it is held, or not. */
  readonly held: Held | null;
}

/**
 * Counts a decision on a stream, in a transaction, and holds the stream; its other fields stay as they are, also those of
 * another release.
 */
export async function decideOn(
  heads: Collection<StoredHead>,
  { id, partition, held }: DecidedStream,
  session: ClientSession,
): Promise<void> {
  const { held: none, ...unmet } = storedHead(newHead(id, partition));
  const change = held
    ? { $set: { held: storedHeld(held) }, $inc: { decided: 1 }, $setOnInsert: unmet }
    : { $inc: { decided: 1 }, $setOnInsert: { ...unmet, held: none } };
  await inForm(heads).updateOne({ _id: id as never }, change, { session, upsert: true });
}

// The database compares embedded documents byte by byte, so the fields of Held are always written in one order.
function unchanged({ id, sequence, eventId, set, held, decided }: Head) {
  return {
    _id: id,
    sequence,
    eventId,
    set,
    held: held && storedHeld(held),
    decided: decided ?? null,
  };
}

function storedHeld({ since, why, reason, queued, entry }: NonNullable<Head['held']>) {
  return { since, why, reason, queued, ...(entry !== undefined && { entry }) };
}

function storedHead({ id, budget, held, skipped, decided, ...head }: Head): WrittenHead {
  return {
    _id: id,
    partition: head.partition,
    sequence: head.sequence,
    eventId: head.eventId,
    set: head.set,
    held: held && storedHeld(held),
    budget: budget && { ...budget, absolute: money(budget.absolute) },
    space: head.space,
    deleted: head.deleted,
    ...(skipped && { skipped }),
    ...(decided !== undefined && { decided }),
  };
}
