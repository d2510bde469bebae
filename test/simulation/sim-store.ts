// A store in memory that behaves as MongoDB does to projectors: snapshot isolation, the first writer of a document wins,
// a session has one transaction at a time, and a commit that the client believes lost may still take place.
import { MongoServerError } from 'mongodb';
import { type Doc, matches, readBack, updated } from './documents.ts';

export interface Transaction {
  readonly session: number;
  /** Number of commits before it began. */
  readonly since: number;
  /** Null deletes. */
  readonly writes: Map<string, Doc | null>;
  /** `late`: its client believes the commit lost. */
  isLate: boolean;
}

const WRITE_CONFLICT = {
  code: 112,
  message: 'Write conflict',
  errorLabels: ['TransientTransactionError'],
};

export function serverError(code: number, message: string, label?: string): MongoServerError {
  return new MongoServerError({ code, message, ...(label && { errorLabels: [label] }) });
}

export class SimStore {
  readonly collections = new Map<string, Map<unknown, Doc>>();
  readonly transactions = new Map<number, Transaction>();
  /** A switch has chunks refused. */
  isHeld = false;
  readonly #versions = new Map<string, number>();
  #commits = 0;

  documents(name: string): Map<unknown, Doc> {
    let found = this.collections.get(name);
    if (!found) {
      found = new Map();
      this.collections.set(name, found);
    }
    return found;
  }

  find(name: string, filter: object): Doc[] {
    const documents = this.documents(name);
    const { _id: id } = filter as { _id?: unknown };
    const isById = typeof id === 'string' || typeof id === 'number';
    const ids = isById ? [id] : (id as { $in?: unknown[] } | undefined)?.$in;
    const found = ids ? ids.map(one => documents.get(one)) : [...documents.values()];
    return found.filter((doc): doc is Doc => doc !== undefined && matches(doc, filter));
  }

  /** Begins a transaction; the one that the session has is gone. */
  begin(session: number): Transaction {
    const transaction = { session, since: this.#commits, writes: new Map(), isLate: false };
    this.transactions.set(session, transaction);
    return transaction;
  }

  /** Returns the open transaction of a session. */
  open(session: number): Transaction {
    const open = this.transactions.get(session);
    if (open && !open.isLate) return open;
    throw serverError(251, 'No such transaction', 'TransientTransactionError');
  }

  /** Returns a document as a transaction sees it. */
  read({ writes }: Transaction, name: string, id: unknown): Doc | null {
    const own = writes.get(`${name} ${id}`);
    return own === undefined ? (this.documents(name).get(id) ?? null) : own;
  }

  /** @throws MongoServerError when another transaction wrote the document */
  write(
    { session, since, writes }: Transaction,
    name: string,
    [id, doc]: [unknown, Doc | null],
  ): void {
    const key = `${name} ${id}`;
    if (this.isLocked(key, session) || (this.#versions.get(key) ?? 0) > since) {
      throw new MongoServerError(WRITE_CONFLICT);
    }
    writes.set(key, doc);
  }

  insert(transaction: Transaction, name: string, doc: object): void {
    const { _id: id } = doc as Doc;
    if (this.read(transaction, name, id)) throw serverError(11000, `Duplicate key ${name} ${id}`);
    this.write(transaction, name, [id, readBack(doc) as Doc]);
  }

  isLocked(key: string, session = -1): boolean {
    for (const other of this.transactions.values()) {
      if (other.session !== session && other.writes.has(key)) return true;
    }
    return false;
  }

  commit(session: number): void {
    const transaction = this.transactions.get(session);
    if (!transaction) throw serverError(251, 'No such transaction', 'TransientTransactionError');
    this.transactions.delete(session);
    this.#commits += 1;
    for (const [key, doc] of transaction.writes) this.#put(key, doc);
  }

  remove(name: string, id: string): void {
    this.#commits += 1;
    this.#put(`${name} ${id}`, null);
  }

  abort(session: number): void {
    this.transactions.delete(session);
  }

  #put(key: string, doc: Doc | null): void {
    const space = key.indexOf(' ');
    const name = key.slice(0, space);
    const documents = this.documents(name);
    const id = name === 'checkpoints' ? Number(key.slice(space + 1)) : key.slice(space + 1);
    if (doc) documents.set(id, doc);
    else documents.delete(id);
    this.#versions.set(key, this.#commits);
  }

  /** Updates one document outside of transactions; returns it before and after. */
  update(
    name: string,
    [filter, update]: [object, object],
    upsert = false,
  ): [Doc | null, Doc | null] {
    const [before = null] = this.find(name, filter);
    if (!before && !upsert) return [null, null];
    const id = before?._id ?? (filter as Doc)._id;
    const key = `${name} ${id}`;
    if (this.isLocked(key)) throw serverError(50, 'Waited too long for a lock');
    const after = updated(before, update, id);
    this.#commits += 1;
    this.#put(key, after);
    return [before, after];
  }
}
