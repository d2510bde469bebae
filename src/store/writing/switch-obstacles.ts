// Obstacles to a switch of generations: after a switch no budget may step back for a client.
import type { ClientSession, Db } from 'mongodb';
import type { Held } from '../../../projections/documents.ts';
import { generationCollections, type StoredCheckpoint } from '../collections.ts';
import { DELETED, HELD_STREAMS, type StoredHead } from '../heads.ts';

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

export interface Obstacle {
  readonly what: 'log' | 'partitions' | 'streams';
  readonly message: string;
}

interface ObstacleSearch {
  /** Kinds to look for; all by default. */
  readonly kinds?: readonly Obstacle['what'][];
  readonly session?: ClientSession;
}

/** Where an obstacle is looked for. */
interface Search {
  readonly db: Db;
  readonly parties: SwitchParties;
  readonly options: { readonly session?: ClientSession };
}

/** Returns the first obstacle to a switch, or null. */
export async function findObstacle(
  db: Db,
  parties: SwitchParties,
  { kinds, ...options }: ObstacleSearch = {},
): Promise<Obstacle | null> {
  const search = { db, parties, options };
  const pairs = await checkpointPairs(search);
  const checks = [
    ['log', () => partitionsHalted(pairs, parties)],
    ['log', () => partitionsForeign(pairs, parties)],
    ['partitions', () => partitionsBehind(pairs, parties)],
    ['streams', () => streamsBehind(search)],
    ['streams', () => budgetsBack(search)],
  ] as const;
  for (const [what, check] of checks) {
    if (kinds && !kinds.includes(what)) continue;
    const message = await check();
    if (message !== null) return { what, message };
  }
  return null;
}

/** A checkpoint of the active generation with that of the new one. */
interface Pair {
  readonly old: StoredCheckpoint;
  readonly fresh: StoredCheckpoint | undefined;
}

async function checkpointPairs({ db, parties: { from, to }, options }: Search): Promise<Pair[]> {
  const read = (generation: string) =>
    generationCollections(db, generation).checkpoints.find({}, options).sort({ _id: 1 }).toArray();
  const fresh = new Map((await read(to)).map(one => [one._id, one]));
  return (await read(from)).map(old => ({ old, fresh: fresh.get(old._id) }));
}

/**
 * Names the partitions of the active generation that are halted, or returns null. A generation built from a damaged log
 * may lack events that the active one still has.
 */
function partitionsHalted(pairs: readonly Pair[], { from }: SwitchParties): string | null {
  const halted = pairs.flatMap(({ old: { _id, halted: why } }) =>
    why ? [`Partition ${_id} of ${from} is halted: ${why.reason}`] : [],
  );
  return sentence(halted);
}

/** Names the partitions in which the new generation is behind the active one, or returns null. */
function partitionsBehind(pairs: readonly Pair[], { from, to }: SwitchParties): string | null {
  const behind = pairs.filter(({ old, fresh }) => (fresh?.next ?? 0) < old.next);
  return sentence(
    behind.map(
      ({ old: { _id, next } }) =>
        `Partition ${_id} of ${to} ${BEHIND} offset ${next}, which ${from} reached`,
    ),
  );
}

const BEHIND = 'is behind';

/**
 * Names the partitions of the new generation that were built from another log than the active one, or returns null: their
 * offsets cannot be compared. A checkpoint that was reset to offset 0 says nothing of its log.
 */
function partitionsForeign(pairs: readonly Pair[], { from, to }: SwitchParties): string | null {
  const foreign = pairs.flatMap(({ old, fresh }) => {
    const why = fresh && old.next > 0 ? otherLogNote(old, fresh) : null;
    return why
      ? [`Partition ${old._id} of ${to} is of another log than that of ${from}: ${why}`]
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
async function streamsBehind(search: Search): Promise<string | null> {
  const { parties } = search;
  const { from, to } = parties;
  const filter = HELD_STREAMS;
  const behind = new Map<string, string>();
  const add = (id: string, old: Compared | undefined, fresh: Compared | undefined) => {
    const obstacle = streamObstacle(parties, id, { old, fresh });
    if (obstacle !== null) behind.set(id, obstacle);
  };
  for await (const [heads, others] of headsIn(search, { generation: to, other: from, filter })) {
    for (const head of heads) add(head._id, others.get(head._id), head);
  }
  for await (const [heads, others] of headsIn(search, { generation: from, other: to, filter })) {
    for (const head of heads) add(head._id, head, others.get(head._id));
  }
  const reason = sentence([...behind.values()]);
  const shows = behind.size === 1 ? 'shows it' : 'shows them';
  return reason === null ? null : `${reason}: budgeting parked list ${shows}`;
}

/** Names the deleted budgets that a switch would bring back, or returns null. A budget is deleted for good. */
async function budgetsBack(search: Search): Promise<string | null> {
  const { from, to } = search.parties;
  const back: string[] = [];
  const deleted = { generation: from, other: to, filter: DELETED };
  for await (const [heads, others] of headsIn(search, deleted)) {
    for (const { _id } of heads) {
      const alive = others.get(_id);
      if (!alive?.budget) continue;
      back.push(
        `Budget ${_id} is deleted in ${from}, but is at sequence ${alive.sequence} in ${to}`,
      );
    }
  }
  return sentence(back);
}

interface HeadsWanted {
  readonly generation: string;
  readonly other: string;
  readonly filter: typeof HELD_STREAMS | typeof DELETED;
}

/** Yields the heads of one generation that match, with those of the same streams in another one. */
async function* headsIn(
  { db, options }: Search,
  { generation, other, filter }: HeadsWanted,
): AsyncGenerator<readonly [StoredHead[], ReadonlyMap<string, StoredHead>]> {
  const { heads } = generationCollections(db, generation);
  const others = generationCollections(db, other).heads;
  for (let after = ''; ; ) {
    const next = heads.find({ ...filter, _id: { $gt: after } }, options).sort({ _id: 1 });
    const found = await next.limit(HEADS_MAX).toArray();
    if (found.length === 0) return;
    const ids = found.map(({ _id }) => _id);
    const same = await others.find({ _id: { $in: ids } }, options).toArray();
    yield [found, new Map(same.map(head => [head._id, head]))];
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
