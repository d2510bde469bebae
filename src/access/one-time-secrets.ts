// Secrets that work once and expire soon, stored in MongoDB as hashes: for sign-in links and sign-ins in progress.
import type { Db } from 'mongodb';
import { withDeadline } from '../store/database-errors.ts';
import { CHANGE_TIMEOUT_MS, NEWEST_STATE, readInTime } from './connect.ts';
import { createSecret, deriveSecret, hashSecret, isSecret } from './secret.ts';
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

function createOneTimeSecrets(db: Db, collection: string, lifetimeMs: number): OneTimeSecrets {
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
      const found = await readInTime(options => secrets.findOne(good(secret, now), options));
      return found?.subject ?? null;
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

/** The time that a person has to sign in at the issuer. */
export const ATTEMPT_MINUTES = 15;

/** Values that tie the issuer's answer to its attempt (OpenID Connect Core, 3.1.2.1; RFC 7636). */
export interface AttemptChecks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/**
 * Sign-ins in progress at an OpenID Connect issuer. State, nonce and code verifier are derived from a secret that only
 * the browser holds, so none of them is stored.
 */
export interface SignInAttempts {
  /** Begins an attempt and returns its secret, for the browser's cookie. */
  begin(now: Date): Promise<string>;
  /** Ends an attempt and returns whether it was in progress, so an issuer's answer is accepted only once. */
  end(secret: string, now: Date): Promise<boolean>;
}

export function createSignInAttempts(db: Db): SignInAttempts {
  const secrets = createOneTimeSecrets(db, 'sign_in_attempts', ATTEMPT_MINUTES * 60_000);
  return {
    begin: now => secrets.create('', now),
    end: async (secret, now) => (await secrets.use(secret, now)) !== null,
  };
}

export function attemptChecks(secret: string): AttemptChecks {
  return {
    state: deriveSecret(secret, 'state'),
    nonce: deriveSecret(secret, 'nonce'),
    codeVerifier: deriveSecret(secret, 'code verifier'),
  };
}
