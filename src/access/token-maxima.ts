// Stores a token unless its owner has too many. Counting and storing are one transaction that changes a document of the
// owner first, so two of them at one time never count the same tokens.
import type { ClientSession, Collection, Db } from 'mongodb';
import { DAY_MS } from '../process/calendar.ts';
import { withDeadline } from '../store/database-errors.ts';
import { readInTime } from './connect.ts';
import type { StoredToken } from './token.ts';
import { inTransaction } from './transaction.ts';

/** The largest numbers of tokens of one owner. */
export interface TokenMaxima {
  /** Not counting those that have ended. */
  readonly active: number;
  /** Issued within 24 hours, ended ones too. */
  readonly perDay: number;
}

/** The maximum that is reached. */
export type Reached = keyof TokenMaxima;

interface TokenOwner {
  /** The user's id. */
  _id: string;
  issued: number;
  expiresAt: Date;
}

export interface GuardedStore {
  readonly owner: string;
  readonly now: Date;
  readonly maxima: TokenMaxima;
  readonly timeoutMs: number;
  /** Stores the token in the session's transaction. */
  readonly store: (session: ClientSession) => Promise<void>;
  /** Called when `store` of the guard has failed, and the transaction can no longer store the token. */
  readonly undo: () => Promise<unknown>;
}

export interface MaximaGuard {
  /** Returns the maximum that an owner has reached, or null. */
  reached(owner: string, maxima: TokenMaxima, now: Date): Promise<Reached | null>;
  /** Stores a token, or returns the maximum that keeps it from being stored. */
  store(request: GuardedStore): Promise<Reached | null>;
}

export function createMaximaGuard(db: Db, tokens: Collection<StoredToken>): MaximaGuard {
  const owners = db.collection<TokenOwner>('token_owners');
  const inTurn = createTurns();

  async function findReached(
    { owner, now }: { readonly owner: string; readonly now: Date },
    maxima: TokenMaxima,
    options: { readonly session: ClientSession } | { readonly maxTimeMS: number },
  ): Promise<Reached | null> {
    const counted = {
      active: { revokedAt: null, expiresAt: { $gt: now } },
      perDay: { createdAt: { $gt: new Date(now.getTime() - DAY_MS) } },
    };
    for (const maximum of ['active', 'perDay'] as const) {
      const limit = maxima[maximum];
      const filter = { owner, ...counted[maximum] };
      const count = await tokens.countDocuments(filter, { limit, ...options });
      if (count >= limit) return maximum;
    }
    return null;
  }

  async function storeIn(
    session: ClientSession,
    { owner, now, maxima, store }: GuardedStore,
  ): Promise<Reached | null> {
    const expiresAt = new Date(now.getTime() + DAY_MS);
    const change = { $inc: { issued: 1 }, $set: { expiresAt } };
    await owners.updateOne({ _id: owner }, change, { session, upsert: true });
    const reached = await findReached({ owner, now }, maxima, { session });
    if (reached === null) await store(session);
    return reached;
  }

  return {
    reached: (owner, maxima, now) =>
      readInTime(options => findReached({ owner, now }, maxima, options)),
    async store(request) {
      const { owner, timeoutMs } = request;
      const deadlineMs = performance.now() + timeoutMs;
      const storing = inTurn(owner, () =>
        // Less the time that the turn took: nobody would see the value of a token that is stored later.
        inTransaction(db, Math.max(1, deadlineMs - performance.now()), session =>
          storeIn(session, request),
        ),
      );
      try {
        return await withDeadline(timeoutMs, storing);
      } catch (error) {
        // The commit may come after the deadline, or have come although its answer is lost.
        const undo = () => request.undo();
        void storing.then(undo, undo).catch(() => {});
        throw error;
      }
    },
  };
}

/** Returns a function that runs the work of one key in turns: conflicting transactions of one process would all retry. */
function createTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return function inTurn(key, work) {
    const turn = (last.get(key) ?? Promise.resolve()).then(work);
    const ended = turn.catch(() => {});
    last.set(key, ended);
    void ended.then(() => {
      if (last.get(key) === ended) last.delete(key);
    });
    return turn;
  };
}
