// Secrets that are good once and for a short time, in MongoDB as hashes: sign-in links, and sign-ins under way.
import type { Db } from 'mongodb';
import { createSecret, hashSecret, isSecret } from './secret.ts';
import { within } from './within.ts';

export interface OneTimeSecrets {
  /** The only time that the secret is known. `subject` is what it stands for. */
  create(subject: string, now: Date): Promise<string>;
  /** What a secret stands for that is still good; uses nothing up. Junk costs no look-up. */
  find(secret: string, now: Date): Promise<string | null>;
  /** The same, for one caller alone: afterwards it is used up. */
  use(secret: string, now: Date): Promise<string | null>;
}

interface StoredSecret {
  /** The hash of the secret. */
  _id: string;
  subject: string;
  expiresAt: Date;
}

const REQUEST_TIMEOUT_MS = 2000;
/** A change waits for the majority of the set's members. */
const CHANGE_TIMEOUT_MS = 10_000;

export function createOneTimeSecrets(
  db: Db,
  collection: string,
  lifetimeMs: number,
): OneTimeSecrets {
  // As for tokens: no failover brings back what was used up, and reads see the newest state.
  const secrets = db.collection<StoredSecret>(collection, {
    readPreference: 'primary',
    readConcern: { level: 'local' },
    writeConcern: { w: 'majority' },
  });
  const good = (secret: string, now: Date) => ({
    _id: hashSecret(secret),
    expiresAt: { $gt: now },
  });
  return {
    async create(subject, now) {
      const secret = createSecret();
      const expiresAt = new Date(now.getTime() + lifetimeMs);
      const stored = { _id: hashSecret(secret), subject, expiresAt };
      await within(CHANGE_TIMEOUT_MS, secrets.insertOne(stored));
      return secret;
    },
    async find(secret, now) {
      if (!isSecret(secret)) return null;
      const options = { maxTimeMS: REQUEST_TIMEOUT_MS };
      const search = secrets.findOne(good(secret, now), options);
      return (await within(REQUEST_TIMEOUT_MS, search))?.subject ?? null;
    },
    async use(secret, now) {
      if (!isSecret(secret)) return null;
      const removal = secrets.findOneAndDelete(good(secret, now));
      return (await within(CHANGE_TIMEOUT_MS, removal))?.subject ?? null;
    },
  };
}
