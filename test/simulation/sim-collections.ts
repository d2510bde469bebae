// The collections and the session of a simulated process. Each command is a step of the simulation: it takes place when
// the scheduler says so, may fail, and its process may be gone by then.
import type { DocumentKind } from '../../projections/document-kinds.ts';
import type { Head } from '../../projections/documents.ts';
import { COLLECTIONS, type GenerationCollections } from '../../src/store/collections.ts';
import { FencedError, StaleError } from '../../src/store/database-errors.ts';
import { headOf, isSameHead, type StoredHead } from '../../src/store/heads.ts';
import type { Writes } from '../../src/store/write-commands.ts';
import { type CommitSession, type FoldWrites, NO_WRITES } from '../../src/store/writing/commit.ts';
import { type Doc, readBack, updated } from './documents.ts';
import type { Faults } from './planted.ts';
import type { SimStore, Transaction } from './sim-store.ts';

/** Runs a command when its turn comes. */
export type Op = <T>(kind: 'read' | 'write' | 'commit' | 'claim', act: () => T) => Promise<T>;

type Sort = Readonly<Record<string, number>>;

class Cursor {
  readonly #find: () => Doc[];
  readonly #op: Op;
  #sort: Sort = {};
  #limit = Number.POSITIVE_INFINITY;

  constructor(find: () => Doc[], op: Op) {
    this.#find = find;
    this.#op = op;
  }

  sort(sort: Sort): this {
    this.#sort = sort;
    return this;
  }

  limit(limit: number): this {
    this.#limit = limit;
    return this;
  }

  project(): this {
    return this;
  }

  map<T>(change: (doc: Doc) => T): { toArray(): Promise<T[]> } {
    return { toArray: async () => (await this.toArray()).map(change) };
  }

  async toArray(): Promise<Doc[]> {
    const found = await this.#op('read', () => this.#find().map(doc => readBack(doc) as Doc));
    const keys = Object.entries(this.#sort);
    found.sort((a, b) => {
      for (const [key, direction] of keys) {
        const [one, other] = [a[key] as number, b[key] as number];
        if (one !== other) return (one < other ? -1 : 1) * direction;
      }
      return 0;
    });
    return found.slice(0, this.#limit);
  }

  async *[Symbol.asyncIterator]() {
    yield* await this.toArray();
  }
}

export function simCollections(store: SimStore, op: Op): GenerationCollections {
  const admin = {
    async command({ killSessions }: { killSessions: { id: number }[] }) {
      await op('write', () => {
        for (const { id } of killSessions) store.abort(id);
      });
    },
  };
  // No generation is ever dropped here.
  const registry = { findOne: async () => null };
  const collection = (name: string) => (name === 'registry' ? registry : all[name]);
  const db = { client: { db: () => admin }, collection };
  const collectionOf = (name: string) => ({
    db,
    collectionName: name,
    find: (filter: object = {}) => new Cursor(() => store.find(name, filter), op),
    findOne: async (filter: object = {}, { sort = {} }: { sort?: Sort } = {}) => {
      const [found] = await new Cursor(() => store.find(name, filter), op).sort(sort).toArray();
      return found ?? null;
    },
    updateOne: (filter: object, update: object, { upsert = false } = {}) =>
      op('write', () => void store.update(name, [filter, update], upsert)),
    updateMany: (filter: object, update: object) =>
      op('write', () => {
        for (const { _id } of store.find(name, filter)) store.update(name, [{ _id }, update]);
      }),
    findOneAndUpdate: (filter: object, update: object, { upsert = false, returnDocument = '' }) =>
      op('claim', () => {
        const [before, after] = store.update(name, [filter, update], upsert);
        return readBack(returnDocument === 'after' ? after : before);
      }),
    distinct: (_: string, filter: object) =>
      op('read', () => store.find(name, filter).map(({ _id }) => _id)),
  });
  // A process uses few of them.
  const all = new Proxy<Record<string, unknown>>(
    {},
    {
      get(made, name: string) {
        if (name in COLLECTIONS) made[name] ??= collectionOf(name);
        return made[name];
      },
    },
  );
  return all as unknown as GenerationCollections;
}

interface SessionOptions {
  readonly id: number;
  readonly op: Op;
  readonly faults: Faults;
  readonly reach: (what: string) => void;
  readonly fail: (error: Error) => void;
}

export function simSession(
  store: SimStore,
  { id, op, faults, reach, fail }: SessionOptions,
): CommitSession {
  const orAbort = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!store.transactions.get(id)?.isLate) store.abort(id);
      throw error;
    }
  };
  const write = (writes: FoldWrites, begins: boolean) =>
    op('write', () =>
      writeFold(store, begins ? store.begin(id) : store.open(id), { writes, faults, reach }),
    );
  const commit = () =>
    op('commit', () => {
      const wrong = violation(store, id);
      if (wrong) fail(new Error(wrong));
      store.commit(id);
    });
  return {
    ids: [id as never],
    commit: (writes, endsParts = false) =>
      orAbort(async () => {
        if (endsParts && faults.has('parts dropped')) store.open(id).writes.clear();
        const { checkpoints } = writes;
        if (
          !endsParts &&
          faults.has('checkpoint in a commit of its own') &&
          checkpoints.length > 0
        ) {
          await write({ ...writes, checkpoints: [] }, true);
          await commit();
          await write({ ...NO_WRITES, checkpoints }, true);
        } else await write(writes, !endsParts);
        await commit();
      }),
    writePart: (writes, isFirst) => orAbort(() => write(writes, isFirst)),
    // The server ends by itself what the client cannot abort.
    abortParts: () => op('write', () => store.abort(id)).catch(() => store.abort(id)),
  };
}

/** Returns which law of checkpoints the commit of a session would break, if any. */
function violation(store: SimStore, session: number): string | null {
  const before = store.documents('checkpoints').get(0);
  const now = store.transactions.get(session)?.writes.get('checkpoints 0');
  if (!before || !now) return null;
  if (Number(now.next) < Number(before.next)) return 'The checkpoint moves back';
  const isOwner = (before.sessions as unknown[]).includes(session);
  return isOwner ? null : 'A former owner moves the checkpoint';
}

interface Writing extends Pick<SessionOptions, 'faults' | 'reach'> {
  readonly writes: FoldWrites;
}

function writeFold(store: SimStore, tx: Transaction, { writes, faults, reach }: Writing): void {
  if (writes.done.length > 0) reach('drains');
  if (writes.checkpoints.length > 1) reach('chunks of two partitions together');
  if (writes.quarantined.length > 0) reach('strays');
  for (const { now } of writes.heads) if (now.held) reach(`held: ${now.held.why}`);
  for (const { partition, epoch, from, to, fingerprints } of writes.checkpoints) {
    const before = store.read(tx, 'checkpoints', partition);
    const isOurs = faults.has('no epoch in the filter') || before?.epoch === epoch;
    const isHere = faults.has('no offset, no heads compared') || before?.next === from;
    if (store.isHeld) reach('held for a switch');
    const isFree = before?.paused === undefined && !store.isHeld;
    if (!before || !isOurs || !isHere || !isFree) {
      throw new FencedError(`Partition ${partition} is not at offset ${from} under epoch ${epoch}`);
    }
    store.write(tx, 'checkpoints', [partition, { ...before, next: to, fingerprints }]);
  }
  for (const { subject, ...begun } of writes.begunSets ?? []) {
    store.insert(tx, 'shadowSets', { _id: subject, ...begun });
  }
  for (const { loaded, now } of writes.heads) writeHead(store, tx, { loaded, now, faults });
  for (const [kind, ofKind] of writes.documents) writeDocuments(store, tx, [kind, ofKind]);
  for (const entry of faults.has('queue entry dropped') ? [] : writes.waiting) {
    store.insert(tx, 'waiting', entry);
  }
  for (const done of faults.has('queue entry kept') ? [] : writes.done) {
    store.write(tx, 'waiting', [done, null]);
  }
  for (const subject of writes.erased) {
    for (const { _id } of store.find('waiting', { subject }))
      store.write(tx, 'waiting', [_id, null]);
  }
  for (const _id of writes.swept) store.insert(tx, 'sweeps', { _id });
  for (const record of writes.quarantined) store.insert(tx, 'quarantine', record);
}

interface HeadWrite {
  readonly loaded: Head | null;
  readonly now: Head;
  readonly faults: Faults;
}

function writeHead(store: SimStore, tx: Transaction, { loaded, now, faults }: HeadWrite): void {
  const { id, ...head } = now;
  const before = store.read(tx, 'heads', id) as unknown as StoredHead | null;
  const isSame = isSameHead(before && headOf(before), loaded);
  if (!isSame && !faults.has('head not compared') && !faults.has('no offset, no heads compared'))
    throw new StaleError('A stream was changed');
  store.write(tx, 'heads', [id, readBack({ _id: id, ...head }) as Doc]);
}

function writeDocuments(
  store: SimStore,
  tx: Transaction,
  [kind, writes]: [DocumentKind, Writes],
): void {
  for (const doc of writes.inserts) store.insert(tx, kind, doc);
  for (const { q, u, upsert } of writes.updates) {
    const before = store.read(tx, kind, q._id);
    if (before || upsert) store.write(tx, kind, [q._id, updated(before, u, q._id)]);
  }
  for (const id of writes.deletes) store.write(tx, kind, [id, null]);
}
