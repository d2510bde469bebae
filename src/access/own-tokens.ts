// The tokens that the settings page lists. A person may have had tens of thousands, and each may name a thousand budgets, so
// the database gives some of them, and the first budgets of each.
import type { Collection, Filter } from 'mongodb';
import { ONE_REPLY } from '../store/one-reply.ts';
import { readInTime } from './connect.ts';
import type { StoredToken, Token } from './token.ts';

export interface OwnToken extends Omit<Token, 'budgets'> {
  /** The first budgets that it is limited to, and the number of all of them; null for every budget of its owner. */
  readonly budgets: { readonly first: readonly string[]; readonly count: number } | null;
}

export interface SomeTokens {
  /** Newest first. */
  readonly tokens: readonly OwnToken[];
  /** Whether there are more. */
  readonly isCut: boolean;
}

export interface OwnTokens {
  /** Those that expire last. */
  readonly active: SomeTokens;
  /** Expired or revoked: the newest ones. */
  readonly ended: SomeTokens;
}

/** As many as the page lets a person have; an operator may have made more. */
const ACTIVE_MAX = 100;
const ENDED_MAX = 50;
const BUDGETS_MAX = 20;

export async function readOwnTokens(
  tokens: Collection<StoredToken>,
  owner: string,
  now: Date,
): Promise<OwnTokens> {
  const isEnded = { $or: [{ revokedAt: { $ne: null } }, { expiresAt: { $lte: now } }] };
  const [active, ended] = await Promise.all([
    some(tokens, {
      filter: { owner, revokedAt: null, expiresAt: { $gt: now } },
      // By their index: ended ones, of which there may be very many, are not read.
      sort: { expiresAt: -1 },
      max: ACTIVE_MAX,
    }),
    some(tokens, {
      filter: { owner, ...isEnded },
      sort: { createdAt: -1, _id: -1 },
      max: ENDED_MAX,
    }),
  ]);
  return { active, ended };
}

type Read = Omit<OwnToken, 'id'> & { readonly _id: string };

interface Wanted {
  readonly filter: Filter<StoredToken>;
  readonly sort: Readonly<Record<string, -1>>;
  readonly max: number;
}

async function some(
  tokens: Collection<StoredToken>,
  { filter, sort, max }: Wanted,
): Promise<SomeTokens> {
  const first = { $slice: ['$budgets', BUDGETS_MAX] };
  const named = { first, count: { $size: { $ifNull: ['$budgets', []] } } };
  const stages = [
    { $match: filter },
    { $sort: sort },
    { $limit: max + 1 },
    { $unset: 'hash' },
    { $set: { budgets: { $cond: [{ $isArray: '$budgets' }, named, null] } } },
  ];
  const read = await readInTime(options =>
    tokens.aggregate<Read>(stages, { ...options, ...ONE_REPLY }).toArray(),
  );
  const kept = read.slice(0, max).map(({ _id: id, ...fields }) => ({ id, ...fields }));
  kept.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
  return { tokens: kept, isCut: read.length > max };
}
