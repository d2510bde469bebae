// Finds stored documents that nothing refers to, or two streams: by index, in bounded memory.
import type { Db, Document } from 'mongodb';
import { DOCUMENT_KINDS } from '../../projections/document-kinds.ts';
import { generationCollections } from './collections.ts';
import { inSnapshot, type Reading } from './snapshot.ts';
import { type CollectionPlace, inForm } from './stored-form.ts';

/** A stored document or set that should not exist. */
export interface Orphan {
  /** The stream; empty where none is known. */
  readonly stream: string;
  /** The place and the fault, in words. */
  readonly what: string;
}

/** At most this many orphans of one kind are returned; further ones are left out. */
const ORPHANS_MAX = 1000;
const READ_MS_MAX = 120_000;
const IDS_MAX = 1000;

/** Returns the document sets that no head names and that are neither marked to be swept nor shadow sets. */
export async function orphanSets(db: Db, generation: string): Promise<Orphan[]> {
  const orphans: Orphan[] = [];
  for (const kind of DOCUMENT_KINDS) {
    // One snapshot for each kind, because the database keeps a snapshot for a few minutes only.
    const found = await inSnapshot({ db, generation, queryMsMax: READ_MS_MAX }, async reading => {
      const allowed = await unnamedSets(reading);
      const heads = headsBySet(reading);
      const sets: string[] = [];
      let head = await heads.next();
      for await (const { _id: set } of distinct(reading.collections[kind], 'set', reading)) {
        while (head && head.set < set) head = await heads.next();
        const isNamed = head?.set === set || allowed.has(set);
        if (!isNamed && sets.length < ORPHANS_MAX) sets.push(String(set));
      }
      await heads.close();
      return sets;
    });
    for (const set of found) {
      orphans.push({ stream: '', what: `${kind} of set ${set}, which no head names` });
    }
  }
  return orphans;
}

/** Returns the sets that two heads name, or that a head names although they are to be swept or are shadow sets. */
export function sharedSets(db: Db, generation: string): Promise<Orphan[]> {
  return inSnapshot({ db, generation, queryMsMax: READ_MS_MAX }, async reading => {
    const orphans: Orphan[] = [];
    const sweeps = new Set<string>();
    for await (const { _id } of reading.collections.sweeps.find({}, reading.options))
      sweeps.add(_id);
    const shadowSets = await shadowSetsOf(reading);
    let last: { _id: string; set: string } | null = null;
    for await (const head of headsBySet(reading)) {
      const { _id: stream, set } = head;
      if (last?.set === set)
        orphans.push({ stream, what: `set ${set} is that of ${last._id} too` });
      if (sweeps.has(set)) orphans.push({ stream, what: `its set ${set} is marked to be swept` });
      if (shadowSets.some(shadowSet => shadowSet.set === set)) {
        orphans.push({ stream, what: `its set ${set} is being written as a shadow set` });
      }
      last = head;
      if (orphans.length >= ORPHANS_MAX) break;
    }
    return orphans;
  });
}

/**
 * Returns the shadow sets of streams that do not wait for them. A budget that is deleted meanwhile does not wait either,
 * but then the writer of the shadow set gives it up.
 */
export function orphanShadowSets(db: Db, generation: string): Promise<Orphan[]> {
  return inSnapshot({ db, generation, queryMsMax: READ_MS_MAX }, async reading => {
    const shadowSets = await shadowSetsOf(reading);
    const filter = {
      _id: { $in: shadowSets.map(({ _id }) => _id) },
      $or: [{ 'held.why': 'change' as const }, { deleted: true }],
    };
    const heads = await reading.collections.heads.find(filter, reading.options).toArray();
    const expected = new Set(heads.map(({ _id }) => _id));
    return shadowSets
      .filter(({ _id }) => !expected.has(_id))
      .map(({ _id, set }) => ({
        stream: _id,
        what: `set ${set} is written as a shadow set, but no big change holds the stream`,
      }));
  });
}

/** Returns the queues of streams without a head. */
export function orphanQueues(db: Db, generation: string): Promise<Orphan[]> {
  return inSnapshot({ db, generation, queryMsMax: READ_MS_MAX }, async reading => {
    const { collections, options } = reading;
    const orphans: Orphan[] = [];
    let ids: string[] = [];
    const check = async () => {
      const filter = { _id: { $in: ids } };
      const found = collections.heads.find(filter, { ...options, projection: { _id: 1 } });
      const known = new Set((await found.toArray()).map(({ _id }) => _id));
      for (const stream of ids) {
        if (!known.has(stream)) orphans.push({ stream, what: 'events wait, but there is no head' });
      }
      ids = [];
    };
    for await (const { _id } of distinct(collections.waiting, 'subject', reading)) {
      ids.push(_id);
      if (ids.length === IDS_MAX) await check();
      if (orphans.length >= ORPHANS_MAX) return orphans;
    }
    await check();
    return orphans;
  });
}

/** Returns heads and quarantined records of partitions from which nothing is projected. */
export async function outsidePartitions(
  db: Db,
  generation: string,
  partitions: readonly number[],
): Promise<Orphan[]> {
  const { heads, quarantine } = generationCollections(db, generation);
  const others = { partition: { $nin: [...partitions] } };
  const found = await heads.find(others).limit(ORPHANS_MAX).toArray();
  const places = partitions.map(partition => new RegExp(`^${partition}/`));
  const records = await quarantine
    .find({ _id: { $nin: places } })
    .limit(ORPHANS_MAX)
    .toArray();
  return [
    ...found.map(({ _id, partition }) => ({
      stream: _id,
      what: `its head names partition ${partition}, from which nothing is projected`,
    })),
    ...records.map(({ _id, subject }) => ({
      stream: subject,
      what: `quarantine/${_id} is of a partition from which nothing is projected`,
    })),
  ];
}

function shadowSetsOf({ collections, options }: Reading) {
  return collections.shadowSets.find({}, options).toArray();
}

/** Returns the sets that no head has to name: shadow sets, and those marked to be swept. */
async function unnamedSets(reading: Reading): Promise<Set<string>> {
  const sets = new Set((await shadowSetsOf(reading)).map(({ set }) => set));
  for await (const { _id } of reading.collections.sweeps.find({}, reading.options)) sets.add(_id);
  return sets;
}

function headsBySet({ collections, options }: Reading) {
  const pipeline = [
    { $match: { set: { $type: 'string' } } },
    { $project: { set: 1 } },
    { $sort: { set: 1, _id: 1 } },
  ];
  return collections.heads.aggregate<{ _id: string; set: string }>(pipeline, {
    ...options,
    allowDiskUse: true,
  });
}

function distinct(collection: CollectionPlace, field: string, { options }: Reading) {
  const pipeline: Document[] = [
    { $sort: { [field]: 1 } },
    { $group: { _id: `$${field}` } },
    { $sort: { _id: 1 } },
  ];
  const all = inForm<Document>(collection);
  return all.aggregate<{ _id: string }>(pipeline, { ...options, allowDiskUse: true });
}
