// The tokens of this service, in MongoDB. Nobody keeps a copy: every request reads its token anew.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import type { Scope } from '../../schemas/generated/api.ts';
import { createBatches } from '../batches.ts';
import { checkTokenRequest, type TokenRequest } from './token-request.ts';
import { createTokenValue, hashTokenValue, isTokenValue } from './token-value.ts';
import { within } from './within.ts';

export interface Token {
  readonly id: string;
  /** The last four characters of its value, by which a person tells tokens apart. */
  readonly last4: string;
  readonly name: string;
  /** The user as whom it acts. */
  readonly owner: string;
  readonly scopes: readonly Scope[];
  /** Ids of the budgets it is narrowed to; null: every budget of its owner. */
  readonly budgets: readonly string[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface TokenStore {
  /** The only time that the value is known. A bad request is a UserError. */
  issue(request: TokenRequest, now: Date): Promise<{ token: string; record: Token }>;
  /** The token of a value, revoked and expired ones too; junk is null without a look-up. */
  find(value: string): Promise<Token | null>;
  /** Oldest first. */
  list(owner?: string): Promise<Token[]>;
  /** False where there is no such token (of that owner); revoking again keeps the first time. */
  revoke(id: string, now: Date, owner?: string): Promise<boolean>;
  /** Notes that a token, as just found, was used: at most one write a minute. */
  touch(token: Token, now: Date): Promise<void>;
}

type StoredToken = Omit<Token, 'id'> & { _id: string; hash: string };

const DAY_MS = 86_400_000;
const TOUCH_INTERVAL_MS = 60_000;
const REQUEST_TIMEOUT_MS = 2000;
/** A change waits for the majority of the set's members. */
const CHANGE_TIMEOUT_MS = 10_000;

/** Whether a token is good at an instant. A revoked one stays revoked, expired or not. */
export function tokenState(token: Token, now: Date): 'active' | 'expired' | 'revoked' {
  if (token.revokedAt !== null) return 'revoked';
  return token.expiresAt.getTime() <= now.getTime() ? 'expired' : 'active';
}

export function createTokenStore(db: Db): TokenStore {
  // A change is on a majority before it is confirmed, so no failover brings a revoked token back. Reads
  // ask the primary for its newest state: a majority read could be older just after a failover.
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
      return await within(REQUEST_TIMEOUT_MS, findTogether(hashTokenValue(value)));
    },
    async list(owner) {
      const filter = owner === undefined ? {} : { owner };
      const stored = await tokens.find(filter).sort({ createdAt: 1, _id: 1 }).toArray();
      return stored.map(toToken);
    },
    async revoke(id, now, owner) {
      const filter = owner === undefined ? { _id: id } : { _id: id, owner };
      const update = [{ $set: { revokedAt: { $ifNull: ['$revokedAt', now] } } }];
      const { matchedCount } = await within(CHANGE_TIMEOUT_MS, tokens.updateOne(filter, update));
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
  const found = await within(REQUEST_TIMEOUT_MS, search);
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
  await within(CHANGE_TIMEOUT_MS, tokens.insertOne(stored));
  return { token, record };
}

async function touch(tokens: Collection<StoredToken>, token: Token, now: Date): Promise<void> {
  const before = new Date(now.getTime() - TOUCH_INTERVAL_MS);
  if (token.lastUsedAt !== null && token.lastUsedAt > before) return;
  // Asked again in the filter, so that of many requests at once only one writes. Null matches absent.
  const due = { $or: [{ lastUsedAt: null }, { lastUsedAt: { $lte: before } }] };
  const update = { $set: { lastUsedAt: now } };
  const options = { writeConcern: { w: 1 } };
  await within(REQUEST_TIMEOUT_MS, tokens.updateOne({ _id: token.id, ...due }, update, options));
}

function toToken({ _id, hash: _, ...fields }: StoredToken): Token {
  return { id: _id, ...fields };
}
