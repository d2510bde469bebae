// The tokens of this service, stored in MongoDB. No process caches them: every request reads its token again.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { createBatches } from '../batches.ts';
import { withDeadline } from '../read-store/deadline.ts';
import type { StoredToken, Token } from './token.ts';
import { createMaximaGuard, type Reached, type TokenMaxima } from './token-maxima.ts';
import { checkTokenRequest, type TokenRequest } from './token-request.ts';
import { createTokenValue, hashTokenValue, isTokenValue } from './token-value.ts';

export interface TokenStore {
  /**
   * Issues a token. The store has only the hash of its value, so the value cannot be read again.
   *
   * @throws UserError for a bad request
   */
  issue(request: TokenRequest, now: Date): Promise<Issued>;
  /** Issues a token unless its owner has reached a maximum, which it returns then; exact over all processes. */
  issueWithin(maxima: TokenMaxima, request: TokenRequest, now: Date): Promise<Issued | Reached>;
  /** Returns the maximum that an owner has reached, or null. */
  reached(owner: string, maxima: TokenMaxima, now: Date): Promise<Reached | null>;
  /** Returns the token of a value, even if revoked or expired; null for a malformed value, without a look-up. */
  find(value: string): Promise<Token | null>;
  /** Returns the tokens of one owner, or of all, oldest first. */
  list(owner?: string): Promise<Token[]>;
  /** Revokes a token; returns false if it is missing (for that owner). Revoking again keeps the first time. */
  revoke(id: string, now: Date, owner?: string): Promise<boolean>;
  /** Notes the use of a token that was just found, with at most one write per minute. */
  touch(token: Token, now: Date): Promise<void>;
}

/** A token with its value. */
export interface Issued {
  readonly token: string;
  readonly record: Token;
}

const DAY_MS = 86_400_000;
const TOUCH_INTERVAL_MS = 60_000;
const REQUEST_TIMEOUT_MS = 2000;
/** Longer, because a change waits for a majority of the replica set. */
const CHANGE_TIMEOUT_MS = 10_000;

export function createTokenStore(db: Db): TokenStore {
  // A majority has a change before it is confirmed, so no failover brings a revoked token back. Reads ask the primary
  // for its newest state, because a majority read could be older right after a failover.
  const tokens = db.collection<StoredToken>('tokens', {
    readPreference: 'primary',
    readConcern: { level: 'local' },
    writeConcern: { w: 'majority' },
  });
  const guard = createMaximaGuard(db, tokens);
  const findTogether = createBatches((hashes: readonly string[]) => findAll(tokens, hashes));
  return {
    async issue(request, now) {
      const { stored, ...issued } = create(request, now);
      await withDeadline(CHANGE_TIMEOUT_MS, tokens.insertOne(stored));
      return issued;
    },
    async issueWithin(maxima, request, now) {
      const { stored, ...issued } = create(request, now);
      return (await guard.store({ stored, maxima, timeoutMs: CHANGE_TIMEOUT_MS })) ?? issued;
    },
    reached: guard.reached,
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

function create(request: TokenRequest, now: Date): Issued & { readonly stored: StoredToken } {
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
  return { token, record, stored };
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
