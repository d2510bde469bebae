// Counts requests in the database: one document per address or user, one atomic update per request.
import type { Collection, Db, Document } from 'mongodb';
import type { RateLimits } from '../config.ts';
import { type LimitStatus, limitStatus, type RequestKind } from './rate-limits.ts';

interface AddressCounts {
  _id: string;
  /** Start of the minute that is counted. */
  minute: Date;
  count: number;
  allowed: boolean;
  /** When the last request was counted, by the database's clock. */
  at: Date;
  expiresAt: Date;
}

interface UserCounts extends AddressCounts {
  day: Date;
  dayCount: number;
  /** By token and kind, within the minute; emptied with it, so that it holds live tokens only. */
  tokens: Record<string, number>;
}

type Expression = string | Document;

/** Counting under this clock is exact in all processes: an aggregation expression for the current time. */
export const DATABASE_CLOCK: Expression = '$$NOW';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A window's document outlives the window by this, so that no clock of another member removes it early. */
const KEPT_AFTER_MS = 10 * MINUTE_MS;
/** Two first requests may both try to insert; the loser finds the document at its next try. */
const TRIES_MAX = 5;
const DUPLICATE_KEY = 11000;

export interface LimitCounts {
  countAddress(key: string): Promise<LimitStatus & { readonly msLeft: number }>;
  countToken(token: { id: string; owner: string }, kind: RequestKind): Promise<LimitStatus[]>;
}

export function createLimitCounts(
  db: Db,
  limits: RateLimits,
  clock: Expression,
  timeoutMs: number,
): LimitCounts {
  // A count that is lost when a member fails does no harm; waiting for a majority on each request would.
  const options = { writeConcern: { w: 1 } } as const;
  const addresses = db.collection<AddressCounts>('limits_address', options);
  const users = db.collection<UserCounts>('limits_user', options);
  return {
    async countAddress(key) {
      const stages = addressStages(limits.addressPerMinute, clock);
      const counts = await count(addresses, key, stages, {}, timeoutMs);
      const endsAtMs = counts.minute.getTime() + MINUTE_MS;
      const nowMs = counts.at.getTime();
      const window = { limit: limits.addressPerMinute, ...counts, endsAtMs };
      return { ...limitStatus(window, nowMs), msLeft: endsAtMs - nowMs };
    },
    async countToken({ id, owner }, kind) {
      const key = `${id}_${kind}`;
      const stages = userStages(key, kind, limits, clock);
      const others = { [`tokens.${key}`]: 1, day: 1, dayCount: 1 };
      const counts = await count(users, owner, stages, others, timeoutMs);
      return userStatuses(counts, counts.tokens[key] ?? 0, tokenLimit(limits, kind), limits);
    },
  };
}

async function count<T extends AddressCounts>(
  collection: Collection<T>,
  key: string,
  stages: Document[],
  others: Document,
  timeoutMs: number,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      const projection = { minute: 1, count: 1, allowed: 1, at: 1, ...others };
      const options = { upsert: true, returnDocument: 'after', projection } as const;
      const filter = { _id: key } as Parameters<typeof collection.findOneAndUpdate>[0];
      const counts = await collection.findOneAndUpdate(filter, stages, {
        ...options,
        maxTimeMS: timeoutMs,
      });
      if (counts === null)
        throw new Error(`Expected the counts of ${collection.collectionName}, got none`);
      return counts as unknown as T;
    } catch (error) {
      if ((error as { code?: unknown }).code !== DUPLICATE_KEY || tries >= TRIES_MAX) throw error;
    }
  }
}

function addressStages(limit: number, clock: Expression): Document[] {
  const minute = startOf('minute', clock);
  return [
    {
      $set: {
        at: clock,
        minute,
        count: { $cond: [{ $eq: ['$minute', minute] }, '$count', 0] },
        expiresAt: { $add: [minute, MINUTE_MS + KEPT_AFTER_MS] },
      },
    },
    { $set: { allowed: { $lt: ['$count', limit] } } },
    { $set: { count: plusOneIfAllowed('$count') } },
  ];
}

/** All windows of a user roll over, are judged and are charged in one step, so they describe one instant. */
function userStages(
  key: string,
  kind: RequestKind,
  limits: RateLimits,
  clock: Expression,
): Document[] {
  const minute = startOf('minute', clock);
  const day = startOf('day', clock);
  const sameMinute = { $eq: ['$minute', minute] };
  const token = { $ifNull: [`$tokens.${key}`, 0] };
  const below = [
    { $lt: [token, tokenLimit(limits, kind)] },
    { $lt: ['$count', limits.userPerMinute] },
    { $lt: ['$dayCount', limits.userPerDay] },
  ];
  return [
    {
      $set: {
        at: clock,
        minute,
        day,
        count: { $cond: [sameMinute, '$count', 0] },
        tokens: { $cond: [sameMinute, '$tokens', { $literal: {} }] },
        dayCount: { $cond: [{ $eq: ['$day', day] }, '$dayCount', 0] },
        expiresAt: { $add: [day, DAY_MS + KEPT_AFTER_MS] },
      },
    },
    { $set: { allowed: { $and: below } } },
    {
      $set: {
        count: plusOneIfAllowed('$count'),
        dayCount: plusOneIfAllowed('$dayCount'),
        // A refused token that was not counted in this minute leaves no trace, or the map would grow.
        [`tokens.${key}`]: { $cond: ['$allowed', { $add: [token, 1] }, `$tokens.${key}`] },
      },
    },
  ];
}

function userStatuses(
  counts: UserCounts,
  tokenCount: number,
  limitOfToken: number,
  limits: RateLimits,
): LimitStatus[] {
  const minuteEnd = counts.minute.getTime() + MINUTE_MS;
  const dayEnd = counts.day.getTime() + DAY_MS;
  const windows = [
    { limit: limitOfToken, count: tokenCount, endsAtMs: minuteEnd },
    { limit: limits.userPerMinute, count: counts.count, endsAtMs: minuteEnd },
    { limit: limits.userPerDay, count: counts.dayCount, endsAtMs: dayEnd },
  ];
  // Of a refused request only the exhausted windows refuse: the others were not charged.
  return windows.map(window => {
    const allowed = counts.allowed || window.count < window.limit;
    return limitStatus({ ...window, allowed }, counts.at.getTime());
  });
}

function tokenLimit(limits: RateLimits, kind: RequestKind): number {
  return kind === 'read' ? limits.tokenReadsPerMinute : limits.tokenWritesPerMinute;
}

function startOf(unit: 'minute' | 'day', clock: Expression): Document {
  return { $dateTrunc: { date: clock, unit } };
}

function plusOneIfAllowed(field: string): Document {
  return { $add: [field, { $cond: ['$allowed', 1, 0] }] };
}
