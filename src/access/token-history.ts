// What happened to the tokens of a user, and who did it: kept beside the tokens, in the transaction that changes them.
// It holds no secret. Everything that changes a token records it here.
import type { ClientSession, Db } from 'mongodb';
import { DAY_MS } from '../process/calendar.ts';
import { ONE_REPLY } from '../store/one-reply.ts';
import { readInTime } from './connect.ts';
import type { Token } from './token.ts';

/** A user acts on the settings page, an operator by a command. */
export type Actor = 'owner' | 'operator';

export interface TokenEvent {
  readonly at: Date;
  readonly what: 'made' | 'revoked';
  readonly by: Actor;
  readonly token: Pick<Token, 'id' | 'name' | 'last4'>;
}

export interface TokenHistory {
  /** Stores an event in the session's transaction. Beyond HISTORY_MAX of one user, the oldest ones go. */
  record(
    { owner, id, name, last4 }: Pick<Token, 'owner' | 'id' | 'name' | 'last4'>,
    event: Pick<TokenEvent, 'at' | 'what' | 'by'>,
    session: ClientSession,
  ): Promise<void>;
  /** Returns the kept events of a user, newest first. */
  list(owner: string, now: Date): Promise<TokenEvent[]>;
}

/** The number of events that are kept of one user. */
export const HISTORY_MAX = 1000;
/** Each new event takes the place of one; more are there only after a lower bound. */
const SURPLUS_MAX = 100;
/** Longer than any token lives, so the making of an active token is among the events. */
export const HISTORY_DAYS = 400;

type StoredEvent = Omit<TokenEvent, 'token'> & {
  readonly owner: string;
  readonly tokenId: string;
  readonly name: string;
  readonly last4: string;
  readonly expiresAt: Date;
};

export function createTokenHistory(db: Db): TokenHistory {
  const events = db.collection<StoredEvent>('token_history', { readPreference: 'primary' });
  const newestFirst = { at: -1, _id: -1 } as const;
  return {
    async record({ owner, id: tokenId, name, last4 }, { at, what, by }, session) {
      const surplus = await events
        .find({ owner }, { session, projection: { _id: 1 } })
        .sort(newestFirst)
        .skip(HISTORY_MAX - 1)
        .limit(SURPLUS_MAX)
        .toArray();
      if (surplus.length > 0) {
        await events.deleteMany({ _id: { $in: surplus.map(({ _id }) => _id) } }, { session });
      }
      const expiresAt = new Date(at.getTime() + HISTORY_DAYS * DAY_MS);
      await events.insertOne({ owner, at, what, by, tokenId, name, last4, expiresAt }, { session });
    },
    async list(owner, now) {
      // The database removes expired events with a delay.
      const kept = { owner, expiresAt: { $gt: now } };
      const found = await readInTime(options =>
        events
          .find(kept, { ...options, ...ONE_REPLY })
          .sort(newestFirst)
          .limit(HISTORY_MAX)
          .toArray(),
      );
      return found.map(({ at, what, by, tokenId: id, name, last4 }) => {
        return { at, what, by, token: { id, name, last4 } };
      });
    },
  };
}
