// The tokens of this service, stored in MongoDB. No process caches them: every request reads its token again.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import type { Scope } from '../../schemas/generated/api.ts';
import { createBatches } from '../batches.ts';
import { withDeadline } from '../read-store/deadline.ts';
import { checkTokenRequest, type TokenRequest } from './token-request.ts';
import { createTokenValue, hashTokenValue, isTokenValue } from './token-value.ts';

export interface Token {
  readonly id: string;
  /** The last four characters of its value, for people to recognize it. */
  readonly last4: string;
  readonly name: string;
  /** The user on whose behalf it acts. */
  readonly owner: string;
  readonly scopes: readonly Scope[];
  /** Ids of the budgets it is limited to; null for every budget of its owner. */
  readonly budgets: readonly string[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface TokenStore {
  /**
   * Issues a token. The store has only the hash of its value, so the value cannot be read again.
   *
   * @throws UserError for a bad request
   */
  issue(request: TokenRequest, now: Date): Promise<{ token: string; record: Token }>;
  /** Returns the token of a value, even if revoked or expired; null for a malformed value, without a look-up. */
  find(value: string): Promise<Token | null>;
  /** Returns the tokens of one owner, or of all, oldest first. */
  list(owner?: string): Promise<Token[]>;
  /** Revokes a token; returns false if it is missing (for that owner). Revoking again keeps the first time. */
  revoke(id: string, now: Date, owner?: string): Promise<boolean>;
  /** Notes the use of a token that was just found, with at most one write per minute. */
  touch(token: Token, now: Date): Promise<void>;
}

type StoredToken = Omit<Token, 'id'> & { _id: string; hash: string };

const DAY_MS = 86_400_000;
const TOUCH_INTERVAL_MS = 60_000;
const REQUEST_TIMEOUT_MS = 2000;
/** Longer, because a change waits for a majority of the replica set. */
const CHANGE_TIMEOUT_MS = 10_000;

/** Returns the state of a token at an instant. A revoked token counts as revoked even after it expires. */
export function tokenState(token: Token, now: Date): 'active' | 'expired' | 'revoked' {
  if (token.revokedAt !== null) return 'revoked';
  return token.expiresAt.getTime() <= now.getTime() ? 'expired' : 'active';
}

export function createTokenStore(db: Db): TokenStore {
  // A majority has a change before it is confirmed, so no failover brings a revoked token back. Reads ask the primary
  // for its newest state, because a majority read could be older right after a failover.
  const tokens = db.collection<StoredToken>('tokens', {
    readPreference: 'primary',
    readConcern: { level: 'local' },
    writeConcern: { w: 'majority' },
  });
  const findTogether = createBatches((hashes: readonly string[]) => findAll(tokens, hashes));
  return {
    issue: (request, now) => issue(tokens, request, now),
    async find(value) {
      if (!isTokenValue(value)) return null;
      return await withDeadline(REQUEST_TIMEOUT_MS, findTogether(hashTokenValue(value)));
    },
    async list(owner) {
      const filter = owner === undefined ? {} : { owner };
      const stored = await tokens.find(filter).sort({ createdAt: 1, _id: 1 }).toArray();
      return stored.map(toToken);
    },
    async revoke(id, now, owner) {
      const filter = owner === undefined ? { _id: id } : { _id: id, owner };
      const update = [{ $set: { revokedAt: { $ifNull: ['$revokedAt', now] } } }];
      const { matchedCount } = await withDeadline(
        CHANGE_TIMEOUT_MS,
        tokens.updateOne(filter, update),
      );
      return matchedCount === 1;
    },
    touch: (token, now) => touch(tokens, token, now),
  };
}

async function findAll(
  tokens: Collection<StoredToken>,
  hashes: readonly string[],
): Promise<(Token | null)[]> {
  const only = [...new Set(hashes)];
  const search = tokens
    .find({ hash: { $in: only } }, { maxTimeMS: REQUEST_TIMEOUT_MS, batchSize: only.length + 1 })
    .toArray();
  const found = await withDeadline(REQUEST_TIMEOUT_MS, search);
  const byHash = new Map(found.map(stored => [stored.hash, toToken(stored)]));
  return hashes.map(hash => byHash.get(hash) ?? null);
}

async function issue(
  tokens: Collection<StoredToken>,
  request: TokenRequest,
  now: Date,
): Promise<{ token: string; record: Token }> {
  const { owner, name, scopes, budgets, expiresInDays } = checkTokenRequest(request);
  const token = createTokenValue(randomBytes);
  const record: Token = {
    id: randomUUID(),
    last4: token.slice(-4),
    name,
    owner,
    scopes,
    budgets,
    createdAt: now,
    expiresAt: new Date(now.getTime() + expiresInDays * DAY_MS),
    lastUsedAt: null,
    revokedAt: null,
  };
  const { id, ...fields } = record;
  const stored = { _id: id, hash: hashTokenValue(token), ...fields };
  await withDeadline(CHANGE_TIMEOUT_MS, tokens.insertOne(stored));
  return { token, record };
}

async function touch(tokens: Collection<StoredToken>, token: Token, now: Date): Promise<void> {
  const before = new Date(now.getTime() - TOUCH_INTERVAL_MS);
  if (token.lastUsedAt !== null && token.lastUsedAt > before) return;
  // The filter repeats the check, so that only one of many simultaneous requests writes. Null also matches absent.
  const due = { $or: [{ lastUsedAt: null }, { lastUsedAt: { $lte: before } }] };
  const update = { $set: { lastUsedAt: now } };
  const options = { writeConcern: { w: 1 } };
  await withDeadline(
    REQUEST_TIMEOUT_MS,
    tokens.updateOne({ _id: token.id, ...due }, update, options),
  );
}

function toToken({ _id, hash: _, ...fields }: StoredToken): Token {
  return { id: _id, ...fields };
}
