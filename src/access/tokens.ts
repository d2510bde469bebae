// The tokens of this service, stored in MongoDB. No process caches them: every request reads its token again.
import { randomBytes, randomUUID } from 'node:crypto';
import type { ClientSession, Collection, Db } from 'mongodb';
import { createBatches } from '../process/batches.ts';
import { DAY_MS } from '../process/calendar.ts';
import { withDeadline } from '../store/database-errors.ts';
import { ONE_REPLY } from '../store/one-reply.ts';
import { CHANGE_TIMEOUT_MS, NEWEST_STATE, REQUEST_TIMEOUT_MS, readInTime } from './connect.ts';
import { type OwnTokens, readOwnTokens } from './own-tokens.ts';
import { hashSecret } from './secret.ts';
import type { StoredToken, Token } from './token.ts';
import { type Actor, createTokenHistory, type TokenEvent } from './token-history.ts';
import { createMaximaGuard, type Reached, type TokenMaxima } from './token-maxima.ts';
import { checkTokenRequest, type TokenRequest } from './token-request.ts';
import { createTokenValue, isTokenValue } from './token-value.ts';
import { inTransaction } from './transaction.ts';

export interface TokenStore {
  /**
   * Issues a token for an operator. The store has only the hash of its value, so the value cannot be read again.
   *
   * @throws UserError for a bad request
   */
  issue(request: TokenRequest, now: Date): Promise<Issued>;
  /**
   * Issues a token for its owner, unless the owner has reached a maximum, which it returns then; exact over all
   * processes. A token that is stored although this fails is revoked, because nobody sees its value.
   */
  issueWithin(maxima: TokenMaxima, request: TokenRequest, now: Date): Promise<Issued | Reached>;
  /** Returns the maximum that an owner has reached, or null. */
  reached(owner: string, maxima: TokenMaxima, now: Date): Promise<Reached | null>;
  /** Returns the token of a value, even if revoked or expired; null for a malformed value, without a look-up. */
  find(value: string): Promise<Token | null>;
  /** Returns a token by its id, even if revoked or expired; null if it is missing, or another user's. */
  findOwn(owner: string, id: string): Promise<Token | null>;
  /** Returns those of these ids whose tokens exist and are not revoked; they may have expired. */
  unrevoked(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns the tokens of one owner, or of all, oldest first: however many there are. */
  list(owner?: string): Promise<Token[]>;
  /** Returns some tokens of an owner: a person may have had very many. */
  own(owner: string, now: Date): Promise<OwnTokens>;
  /**
   * Revokes a token, for an operator or for the given owner; returns null if it is missing (for that owner). Revoking
   * again changes nothing.
   */
  revoke(id: string, now: Date, owner?: string): Promise<'revoked' | 'revoked before' | null>;
  /** Notes the use of a token that was just found, with at most one write per minute. */
  touch(token: Token, now: Date): Promise<void>;
  /** Returns the latest events of an owner's tokens, newest first. */
  history(owner: string, now: Date): Promise<TokenEvent[]>;
}

/** A token with its value. */
export interface Issued {
  readonly token: string;
  readonly record: Token;
}

const TOUCH_INTERVAL_MS = 60_000;

/** @param changeTimeoutMs how long a change may take; beyond it the change fails */
export function createTokenStore(db: Db, changeTimeoutMs = CHANGE_TIMEOUT_MS): TokenStore {
  const tokens = db.collection<StoredToken>('tokens', NEWEST_STATE);
  const history = createTokenHistory(db);
  const guard = createMaximaGuard(db, tokens);
  const findTogether = createBatches((hashes: readonly string[]) => findAll(tokens, hashes));

  function store(
    { issued: { record }, stored }: Created,
    by: Actor,
  ): (session: ClientSession) => Promise<void> {
    return async session => {
      await tokens.insertOne(stored, { session });
      await history.record(record, { at: record.createdAt, what: 'made', by }, session);
    };
  }

  async function revoke(id: string, now: Date, owner?: string) {
    const filter = owner === undefined ? { _id: id } : { _id: id, owner };
    const by = owner === undefined ? 'operator' : 'owner';
    return await inTransaction(db, changeTimeoutMs, async session => {
      const token = await tokens.findOne(filter, { session });
      if (token === null) return null;
      if (token.revokedAt !== null) return 'revoked before';
      await tokens.updateOne({ _id: id }, { $set: { revokedAt: now } }, { session });
      await history.record(toToken(token), { at: now, what: 'revoked', by }, session);
      return 'revoked';
    });
  }

  return {
    async issue(request, now) {
      const created = create(request, now);
      await inTransaction(db, changeTimeoutMs, store(created, 'operator'));
      return created.issued;
    },
    async issueWithin(maxima, request, now) {
      const created = create(request, now);
      const { id, owner } = created.issued.record;
      const guarded = { owner, now, maxima, timeoutMs: changeTimeoutMs };
      const undo = () => revoke(id, now, owner);
      const reached = await guard.store({ ...guarded, store: store(created, 'owner'), undo });
      return reached ?? created.issued;
    },
    reached: guard.reached,
    async find(value) {
      if (!isTokenValue(value)) return null;
      return await withDeadline(REQUEST_TIMEOUT_MS, findTogether(hashSecret(value)));
    },
    async findOwn(owner, id) {
      const stored = await readInTime(options => tokens.findOne({ _id: id, owner }, options));
      return stored && toToken(stored);
    },
    unrevoked: ids => unrevoked(tokens, ids),
    async list(owner) {
      const filter = owner === undefined ? {} : { owner };
      const stored = await tokens.find(filter, ONE_REPLY).sort({ createdAt: 1, _id: 1 }).toArray();
      return stored.map(toToken);
    },
    own: (owner, now) => readOwnTokens(tokens, owner, now),
    revoke,
    touch: (token, now) => touch(tokens, token, now),
    history: history.list,
  };
}

async function findAll(
  tokens: Collection<StoredToken>,
  hashes: readonly string[],
): Promise<(Token | null)[]> {
  const only = [...new Set(hashes)];
  const found = await readInTime(options =>
    tokens.find({ hash: { $in: only } }, { ...options, ...ONE_REPLY }).toArray(),
  );
  const byHash = new Map(found.map(stored => [stored.hash, toToken(stored)]));
  return hashes.map(hash => byHash.get(hash) ?? null);
}

async function unrevoked(
  tokens: Collection<StoredToken>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await readInTime(options =>
    tokens
      .find({ _id: { $in: [...ids] }, revokedAt: null }, { ...options, ...ONE_REPLY })
      .project<Pick<StoredToken, '_id'>>({ _id: 1 })
      .toArray(),
  );
  return new Set(found.map(({ _id }) => _id));
}

type Created = { readonly issued: Issued; readonly stored: StoredToken };

function create(request: TokenRequest, now: Date): Created {
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
  const stored = { _id: id, hash: hashSecret(token), ...fields };
  return { issued: { token, record }, stored };
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
