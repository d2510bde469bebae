// Obstacles to a switch of generations: after a switch no budget may step back for a client.
import type { ClientSession, Db } from 'mongodb';
import type { Held } from '../../../projections/documents.ts';
import { generationCollections, type StoredCheckpoint } from '../collections.ts';
import { DELETED, HELD_STREAMS, type StoredHead } from '../heads.ts';
import { HALTED } from './checkpoints.ts';

/** The active generation, and the one that is to replace it. */
export interface SwitchParties {
  readonly from: string;
  readonly to: string;
}

/** Up to this many streams or partitions are named; the others are counted. */
const NAMED_MAX = 3;
const HEADS_MAX = 1000;

/** What a switch compares of a stream. */
export type Compared = Pick<StoredHead, 'sequence' | 'held'>;

/**
 * Names the partitions of the active generation that are halted, or returns null. A generation built from a damaged log
 * may lack events that the active one still has.
 */
export async function partitionsHalted(
  db: Db,
  { from }: SwitchParties,
  session?: ClientSession,
): Promise<string | null> {
  const options = session ? { session } : {};
  const found = generationCollections(db, from).checkpoints.find(HALTED, options);
  const halted = await found.sort({ _id: 1 }).toArray();
  return sentence(
    halted.map(({ _id, halted: why }) => `Partition ${_id} of ${from} is halted: ${why?.reason}`),
  );
}

/** Names the partitions in which the new generation is behind the active one, or returns null. */
export async function partitionsBehind(
  db: Db,
  { from, to }: SwitchParties,
  session?: ClientSession,
): Promise<string | null> {
  const options = session ? { session } : {};
  const applied = new Map<number, number>();
  const { checkpoints } = generationCollections(db, to);
  for await (const { _id, next } of checkpoints.find({}, options)) applied.set(_id, next);
  const old = generationCollections(db, from).checkpoints.find({}, options).sort({ _id: 1 });
  const behind = (await old.toArray()).filter(({ _id, next }) => (applied.get(_id) ?? 0) < next);
  return sentence(
    behind.map(
      ({ _id, next }) =>
        `Partition ${_id} of ${to} ${BEHIND} offset ${next}, which ${from} reached`,
    ),
  );
}

const BEHIND = 'is behind';

/**
 * Names the partitions of the new generation that were built from another log than the active one, or returns null: their
 * offsets cannot be compared. A checkpoint that was reset to offset 0 says nothing of its log.
 */
export async function partitionsForeign(
  db: Db,
  { from, to }: SwitchParties,
  session?: ClientSession,
): Promise<string | null> {
  const options = session ? { session } : {};
  const fresh = new Map<number, StoredCheckpoint>();
  const { checkpoints } = generationCollections(db, to);
  for await (const one of checkpoints.find({}, options)) fresh.set(one._id, one);
  const old = generationCollections(db, from).checkpoints.find({ next: { $gt: 0 } }, options);
  const foreign = (await old.sort({ _id: 1 }).toArray()).flatMap(one => {
    const other = fresh.get(one._id);
    const why = other && otherLogNote(one, other);
    return why
      ? [`Partition ${one._id} of ${to} is of another log than that of ${from}: ${why}`]
      : [];
  });
  return sentence(foreign);
}

function otherLogNote(old: StoredCheckpoint, fresh: StoredCheckpoint): string | null {
  if (fresh.partitions !== old.partitions) {
    return `expected ${old.partitions} partitions, got ${fresh.partitions}`;
  }
  const hashes = new Map(old.fingerprints.map(({ offset, hash }) => [offset, hash]));
  const changed = fresh.fingerprints.find(
    ({ offset, hash }) => (hashes.get(offset) ?? hash) !== hash,
  );
  return changed ? `the record at offset ${changed.offset} differs` : null;
}

/** Returns whether an obstacle is one of `partitionsBehind`. */
export function isBehindNote(obstacle: string, { to }: Pick<SwitchParties, 'to'>): boolean {
  return /^Partition \d+ of /.test(obstacle) && obstacle.includes(` of ${to} ${BEHIND} `);
}

/**
 * Names the streams that would step back, or would newly be held; returns null without any. Streams that are held in
 * neither generation need no check: they are as far as their partition.
 */
export async function streamsBehind(
  db: Db,
  parties: SwitchParties,
  session?: ClientSession,
): Promise<string | null> {
  const { from, to } = parties;
  const behind = new Map<string, string>();
  const add = (id: string, old: Compared | undefined, fresh: Compared | undefined) => {
    const obstacle = streamObstacle(parties, id, { old, fresh });
    if (obstacle !== null) behind.set(id, obstacle);
  };
  for await (const [heads, others] of heldIn(db, { generation: to, other: from }, session)) {
    for (const head of heads) add(head._id, others.get(head._id), head);
  }
  for await (const [heads, others] of heldIn(db, { generation: from, other: to }, session)) {
    for (const head of heads) add(head._id, head, others.get(head._id));
  }
  const reason = sentence([...behind.values()]);
  const shows = behind.size === 1 ? 'shows it' : 'shows them';
  return reason === null ? null : `${reason}: budgeting parked list ${shows}`;
}

/** Names the deleted budgets that a switch would bring back, or returns null. A budget is deleted for good. */
export async function budgetsBack(
  db: Db,
  { from, to }: SwitchParties,
  session?: ClientSession,
): Promise<string | null> {
  const options = { ...(session && { session }), projection: { _id: 1, sequence: 1 } };
  const { heads } = generationCollections(db, from);
  const others = generationCollections(db, to).heads;
  const back: string[] = [];
  for (let after = ''; ; ) {
    const deleted = heads.find({ ...DELETED, _id: { $gt: after } }, options).sort({ _id: 1 });
    const ids = (await deleted.limit(HEADS_MAX).toArray()).map(({ _id }) => _id);
    if (ids.length === 0) break;
    const alive = await others
      .find({ _id: { $in: ids }, budget: { $ne: null } }, options)
      .toArray();
    for (const { _id, sequence } of alive) {
      back.push(`Budget ${_id} is deleted in ${from}, but is at sequence ${sequence} in ${to}`);
    }
    after = ids.at(-1) ?? after;
  }
  return sentence(back);
}

/** Yields the held streams of one generation, with the same streams of another one. */
async function* heldIn(
  db: Db,
  { generation, other }: { readonly generation: string; readonly other: string },
  session?: ClientSession,
): AsyncGenerator<readonly [StoredHead[], ReadonlyMap<string, Compared>]> {
  const options = session ? { session } : {};
  const { heads } = generationCollections(db, generation);
  const others = generationCollections(db, other).heads;
  for (let after = ''; ; ) {
    const filter = { ...HELD_STREAMS, _id: { $gt: after } };
    const held = await heads.find(filter, options).sort({ _id: 1 }).limit(HEADS_MAX).toArray();
    if (held.length === 0) return;
    const ids = held.map(({ _id }) => _id);
    const same = await others.find({ _id: { $in: ids } }, options).toArray();
    yield [held, new Map(same.map(head => [head._id, head]))];
    after = ids.at(-1) ?? after;
  }
}

/** Returns why a stream would step back or newly be held after a switch, or null. */
export function streamObstacle(
  { from, to }: SwitchParties,
  id: string,
  { old, fresh }: { readonly old: Compared | undefined; readonly fresh: Compared | undefined },
): string | null {
  // A stream that is new to the active generation cannot step back.
  if (!old) return null;
  const sequence = fresh?.sequence ?? 0;
  if (fresh?.held && !old.held) {
    return `Stream ${id} is held at sequence ${sequence} in ${to}, but not in ${from}${waitNote(fresh.held)}`;
  }
  if (sequence >= old.sequence) return null;
  return `Stream ${id} is at sequence ${sequence} in ${to}, but at ${old.sequence} in ${from}`;
}

function waitNote({ why }: Held): string {
  return why === 'change' ? ' (until its big change is written)' : '';
}

function sentence(parts: readonly string[]): string | null {
  if (parts.length === 0) return null;
  const more = parts.length - NAMED_MAX;
  const named = parts.slice(0, NAMED_MAX).join('; ');
  return more > 0 ? `${named}; and ${more} more` : named;
}
