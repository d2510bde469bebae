// The tokens that the settings page lists. A person may have had tens of thousands, and each may name a thousand budgets, so
// the database gives the newest ones and the first budgets of each.
import type { Collection, Filter } from 'mongodb';
import { ONE_REPLY } from '../store/one-reply.ts';
import { readInTime } from './connect.ts';
import type { StoredToken, Token } from './token.ts';

export interface OwnToken extends Omit<Token, 'budgets'> {
  /** The first budgets that it is limited to, and the number of all of them; null for every budget of its owner. */
  readonly budgets: { readonly first: readonly string[]; readonly count: number } | null;
}

export interface NewestTokens {
  /** Newest first. */
  readonly tokens: readonly OwnToken[];
  /** Whether there are older ones. */
  readonly isCut: boolean;
}

export interface OwnTokens {
  readonly active: NewestTokens;
  /** Expired or revoked. */
  readonly ended: NewestTokens;
}

/** The largest number of tokens of each kind. */
const NEWEST_MAX: Readonly<Record<keyof OwnTokens, number>> = { active: 100, ended: 50 };
const BUDGETS_MAX = 20;

export async function readOwnTokens(
  tokens: Collection<StoredToken>,
  owner: string,
  now: Date,
): Promise<OwnTokens> {
  const isEnded = { $or: [{ revokedAt: { $ne: null } }, { expiresAt: { $lte: now } }] };
  const [active, ended] = await Promise.all([
    newest(tokens, { owner, revokedAt: null, expiresAt: { $gt: now } }, NEWEST_MAX.active),
    newest(tokens, { owner, ...isEnded }, NEWEST_MAX.ended),
  ]);
  return { active, ended };
}

type Read = Omit<OwnToken, 'id'> & { readonly _id: string };

async function newest(
  tokens: Collection<StoredToken>,
  filter: Filter<StoredToken>,
  max: number,
): Promise<NewestTokens> {
  const first = { $slice: ['$budgets', BUDGETS_MAX] };
  const some = { first, count: { $size: { $ifNull: ['$budgets', []] } } };
  const stages = [
    { $match: filter },
    { $sort: { createdAt: -1, _id: -1 } },
    { $limit: max + 1 },
    { $unset: 'hash' },
    { $set: { budgets: { $cond: [{ $isArray: '$budgets' }, some, null] } } },
  ];
  const read = await readInTime(options =>
    tokens.aggregate<Read>(stages, { ...options, ...ONE_REPLY }).toArray(),
  );
  const kept = read.slice(0, max).map(({ _id: id, ...fields }) => ({ id, ...fields }));
  return { tokens: kept, isCut: read.length > max };
}
