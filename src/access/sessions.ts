// Sessions of people on the settings page, stored in MongoDB, so that any reader serves any session.
import type { Collection, Db } from 'mongodb';
import { withDeadline } from '../store/database-errors.ts';
import { CHANGE_TIMEOUT_MS, NEWEST_STATE, REQUEST_TIMEOUT_MS, readInTime } from './connect.ts';
import { createSecret, hashSecret, isSecret } from './secret.ts';
import { inTransaction } from './transaction.ts';

export interface SessionStore {
  /** Begins a user's session and returns its id, a secret that the browser keeps; the store has only its hash. */
  begin(user: string, now: Date): Promise<string>;
  /** Returns the user of a live session, otherwise null, and notes the use. A malformed id costs no look-up. */
  find(id: string, now: Date): Promise<{ readonly user: string } | null>;
  /** Ends a session for every reader, from the next request on. */
  end(id: string): Promise<void>;
  /** Ends all sessions of a user at once, for every reader, from the next request on. */
  endAll(user: string): Promise<void>;
  /** Returns true the first time that a form is sent in a live session, false each further time. */
  useForm(id: string, form: string, now: Date): Promise<boolean>;
}

interface StoredSession {
  /** The hash of the session's id. */
  _id: string;
  user: string;
  createdAt: Date;
  /** When it was last used, to the minute. */
  usedAt: Date;
  /** When it ends unless it is used again. */
  expiresAt: Date;
  /** The forms that were used, newest last. */
  forms: string[];
}

const MINUTE_MS = 60_000;
/** A session ends after this time without use. */
export const IDLE_MINUTES_MAX = 60;
/** A session ends at this age even while it is in use. */
export const AGE_HOURS_MAX = 12;
const TOUCH_INTERVAL_MS = MINUTE_MS;
/** Beyond this, the oldest used form of a session is forgotten. */
const FORMS_MAX = 1000;

export function createSessionStore(db: Db): SessionStore {
  const sessions = db.collection<StoredSession>('sessions', NEWEST_STATE);
  return {
    async begin(user, now) {
      const id = createSecret();
      const ends = { usedAt: now, expiresAt: endOf(now, now) };
      const session = { _id: hashSecret(id), user, createdAt: now, ...ends, forms: [] };
      await withDeadline(CHANGE_TIMEOUT_MS, sessions.insertOne(session));
      return id;
    },
    find: (id, now) => find(sessions, id, now),
    async end(id) {
      if (!isSecret(id)) return;
      await withDeadline(CHANGE_TIMEOUT_MS, sessions.deleteOne({ _id: hashSecret(id) }));
    },
    async endAll(user) {
      // In one transaction, so that no session is left over if the deletion is cut off.
      await inTransaction(db, CHANGE_TIMEOUT_MS, async session => {
        await sessions.deleteMany({ user }, { session });
      });
    },
    async useForm(id, form, now) {
      const unused = { ...alive(id, now), forms: { $ne: form } };
      const update = { $push: { forms: { $each: [form], $slice: -FORMS_MAX } } };
      const { matchedCount } = await withDeadline(
        CHANGE_TIMEOUT_MS,
        sessions.updateOne(unused, update),
      );
      return matchedCount === 1;
    },
  };
}

async function find(
  sessions: Collection<StoredSession>,
  id: string,
  now: Date,
): Promise<{ user: string } | null> {
  if (!isSecret(id)) return null;
  const session = await readInTime(options =>
    sessions.findOne(alive(id, now), { ...options, projection: { forms: 0 } }),
  );
  if (session === null) return null;
  if (now.getTime() - session.usedAt.getTime() >= TOUCH_INTERVAL_MS) {
    // `$max`, because of two simultaneous requests the earlier one may write last.
    const later = { usedAt: now, expiresAt: endOf(session.createdAt, now) };
    // A lost touch does no harm, so it does not wait for a majority, and where nothing can be written pages still show.
    const options = { writeConcern: { w: 1 } };
    const touch = sessions.updateOne({ _id: session._id }, { $max: later }, options);
    await withDeadline(REQUEST_TIMEOUT_MS, touch).catch(() => {});
  }
  return { user: session.user };
}

/** Returns the filter of a live session. The database removes ended sessions with a delay, so it checks the time. */
function alive(id: string, now: Date) {
  return { _id: hashSecret(id), expiresAt: { $gt: now } };
}

function endOf(createdAt: Date, usedAt: Date): Date {
  const idleEnd = usedAt.getTime() + IDLE_MINUTES_MAX * MINUTE_MS;
  const end = createdAt.getTime() + AGE_HOURS_MAX * 60 * MINUTE_MS;
  return new Date(Math.min(idleEnd, end));
}
