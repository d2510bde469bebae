// Secrets that work once and expire soon, stored in MongoDB as hashes: for sign-in links and sign-ins in progress.
import type { Db } from 'mongodb';
import { withDeadline } from '../store/database-errors.ts';
import { CHANGE_TIMEOUT_MS, NEWEST_STATE, REQUEST_TIMEOUT_MS } from './connect.ts';
import { createSecret, hashSecret, isSecret } from './secret.ts';
import { LINK_MINUTES } from './sign-in-links.ts';

export interface OneTimeSecrets {
  /** Returns a new secret for a subject. The store has only its hash, so it cannot be read again. */
  create(subject: string, now: Date): Promise<string>;
  /** Returns the subject of a valid secret, otherwise null, and leaves it valid. A malformed one costs no look-up. */
  find(secret: string, now: Date): Promise<string | null>;
  /** Like `find`, but uses the secret up, so that only one caller gets the subject. */
  use(secret: string, now: Date): Promise<string | null>;
}

interface StoredSecret {
  /** The hash of the secret. */
  _id: string;
  subject: string;
  expiresAt: Date;
}

export function createOneTimeSecrets(
  db: Db,
  collection: string,
  lifetimeMs: number,
): OneTimeSecrets {
  const secrets = db.collection<StoredSecret>(collection, NEWEST_STATE);
  const good = (secret: string, now: Date) => ({
    _id: hashSecret(secret),
    expiresAt: { $gt: now },
  });
  return {
    async create(subject, now) {
      const secret = createSecret();
      const expiresAt = new Date(now.getTime() + lifetimeMs);
      const stored = { _id: hashSecret(secret), subject, expiresAt };
      await withDeadline(CHANGE_TIMEOUT_MS, secrets.insertOne(stored));
      return secret;
    },
    async find(secret, now) {
      if (!isSecret(secret)) return null;
      const options = { maxTimeMS: REQUEST_TIMEOUT_MS };
      const search = secrets.findOne(good(secret, now), options);
      return (await withDeadline(REQUEST_TIMEOUT_MS, search))?.subject ?? null;
    },
    async use(secret, now) {
      if (!isSecret(secret)) return null;
      const removal = secrets.findOneAndDelete(good(secret, now));
      return (await withDeadline(CHANGE_TIMEOUT_MS, removal))?.subject ?? null;
    },
  };
}

/** The subject of a link is a user's id. */
export type SignInLinks = OneTimeSecrets;

export function createSignInLinks(db: Db): SignInLinks {
  return createOneTimeSecrets(db, 'sign_in_links', LINK_MINUTES * 60_000);
}
