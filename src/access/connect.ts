// The database of access: its name, its collections and their indexes. A rebuild of the read model never touches it.
import type { Db, IndexDescription } from 'mongodb';
import { INDEX_BUILD } from '../store/collections.ts';
import { withDeadline } from '../store/database-errors.ts';

export const ACCESS_DATABASE = 'budgeting_access';
/** Longest time of a request that waits for no majority of the replica set. */
export const REQUEST_TIMEOUT_MS = 2000;
/** Longer, because a change waits for a majority. */
export const CHANGE_TIMEOUT_MS = 10_000;

/** Runs a read of a request, which fails after so long, whether the database is slow or does not answer at all. */
export function readInTime<T>(
  read: (options: { readonly maxTimeMS: number }) => Promise<T>,
): Promise<T> {
  return withDeadline(REQUEST_TIMEOUT_MS, read({ maxTimeMS: REQUEST_TIMEOUT_MS }));
}

/**
 * Of collections whose last state decides who comes in. A majority has a change before it is confirmed, so no failover
 * brings a revoked token back. Reads ask the primary for its newest state, because a majority read could be older right
 * after a failover.
 */
export const NEWEST_STATE = {
  readPreference: 'primary',
  readConcern: { level: 'local' },
  writeConcern: { w: 'majority' },
} as const;

/** The database removes expired documents, so these collections do not grow. */
const EXPIRING: IndexDescription = { key: { expiresAt: 1 }, expireAfterSeconds: 0 };

const INDEXES: Readonly<Record<string, readonly IndexDescription[]>> = {
  tokens: [
    { key: { hash: 1 }, unique: true },
    { key: { owner: 1, createdAt: 1, _id: 1 } },
    { key: { owner: 1, revokedAt: 1, expiresAt: 1 } },
  ],
  token_history: [{ key: { owner: 1, at: -1, _id: -1 } }, EXPIRING],
  token_owners: [EXPIRING],
  sessions: [{ key: { user: 1 } }, EXPIRING],
  sign_in_links: [EXPIRING],
  sign_in_attempts: [EXPIRING],
  limits_address: [EXPIRING],
  limits_user: [EXPIRING],
  // Those of killed processes stay.
  open_sessions: [{ key: { at: 1 }, expireAfterSeconds: 3600 }],
};

/**
 * Creates missing indexes. Every process that uses this database calls it at start.
 *
 * @throws DatabaseTimeoutError where the database takes no writes for so long; a build that is under way goes on
 */
export async function ensureAccessIndexes(db: Db, timeoutMs = CHANGE_TIMEOUT_MS): Promise<void> {
  const made = Object.entries(INDEXES).map(([name, indexes]) =>
    db.collection(name).createIndexes([...indexes], INDEX_BUILD),
  );
  await withDeadline(timeoutMs, Promise.all(made));
}
