// Counts requests in the database: one document per address or user, one atomic update per request, or for all the
// requests of an address or token that came while its last update was under way. None is let through beyond a limit.
import { type Db, type Document, MongoNetworkError, MongoServerError } from 'mongodb';
import { createBatches } from '../batches.ts';
import type { RateLimits } from '../config.ts';
import { type LimitStatus, limitStatus, type RequestKind } from './rate-limits.ts';
import { within } from './within.ts';

interface AddressCounts {
  _id: string;
  /** Start of the minute that is counted. */
  minute: Date;
  count: number;
  /** Of the requests that were counted last, how many were let through. */
  granted: number;
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
/** The member that was asked is no primary any more: ShutdownInProgress, PrimarySteppedDown, NotWritablePrimary and its kind. */
const NO_PRIMARY: ReadonlySet<number> = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);

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
  async function addressStatuses(asked: number, key: string) {
    const stages = addressStages(asked, limits.addressPerMinute, clock);
    const counts = await count<AddressCounts>(db, 'limits_address', key, stages, timeoutMs);
    return Array.from({ length: asked }, (_, index) =>
      addressStatus(countsAt(counts, index), limits.addressPerMinute),
    );
  }

  async function tokenStatuses(uses: readonly TokenUse[]): Promise<LimitStatus[][]> {
    // They share a key, so they are uses of one token.
    const [{ id, owner, kind }] = uses as [TokenUse];
    const key = `${id}_${kind}`;
    const stages = userStages(uses.length, key, kind, limits, clock);
    const windows = { minute: 1, count: 1, day: 1, dayCount: 1, [`tokens.${key}`]: 1 };
    const fields = { at: 1, granted: 1, ...windows };
    const counts = await count<UserCounts>(db, 'limits_user', owner, stages, timeoutMs, fields);
    return uses.map((_, index) =>
      userStatuses(countsAt(counts, index), key, tokenLimit(limits, kind), limits),
    );
  }

  // Whom an address's count lets pass will ask for a token's: a round of those waits for them, and then goes on with
  // all of them to the next question.
  let lastAddress: ReturnType<typeof addressStatuses> = Promise.resolve([]);
  const countAddresses = createBatches<null, LimitStatus & { msLeft: number }>(
    (asked, key) => (lastAddress = addressStatuses(asked.length, key)),
  );
  const countTokens = createBatches(tokenStatuses, () => lastAddress);
  return {
    countAddress: key => countAddresses(null, key),
    countToken: ({ id, owner }, kind) => countTokens({ id, owner, kind }, `${id}_${kind}`),
  };
}

interface TokenUse {
  readonly id: string;
  readonly owner: string;
  readonly kind: RequestKind;
}

/** How many of those counted with it a request is ahead of, and whether it was let through itself. */
type CountsAt<T extends AddressCounts> = T & { readonly after: number; readonly allowed: boolean };

/** What a request sees that was the `index`th of those counted at once. */
function countsAt<T extends AddressCounts>(counts: T, index: number): CountsAt<T> {
  const after = Math.max(0, counts.granted - index - 1);
  return { ...counts, after, allowed: index < counts.granted };
}

/**
 * Counts by a plain command: for the driver's own update, which it may send twice, the database would store each
 * document once more. A count whose answer got lost may so be taken twice, which refuses one request too early.
 */
async function count<T extends AddressCounts>(
  db: Db,
  collection: string,
  key: string,
  stages: Document[],
  timeoutMs: number,
  fields?: Document,
): Promise<T> {
  const command = {
    findAndModify: collection,
    query: { _id: key },
    update: stages,
    upsert: true,
    new: true,
    ...(fields && { fields }),
    maxTimeMS: timeoutMs,
    // A count that is lost when a member fails does no harm; waiting for a majority on each request would.
    writeConcern: { w: 1 },
  };
  for (let tries = 1; ; tries += 1) {
    try {
      const { value } = await within(timeoutMs, db.command(command));
      if (!value) throw new Error(`Expected the counts of ${collection}, got none`);
      return value as T;
    } catch (error) {
      if (!mayTryAgain(error, tries)) throw error;
    }
  }
}

function mayTryAgain(error: unknown, tries: number): boolean {
  if (error instanceof MongoNetworkError) return tries === 1;
  if (!(error instanceof MongoServerError)) return false;
  if (error.code === DUPLICATE_KEY) return tries < TRIES_MAX;
  return tries === 1 && NO_PRIMARY.has(Number(error.code));
}

function addressStages(asked: number, limit: number, clock: Expression): Document[] {
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
    { $set: { granted: granted(asked, [{ $subtract: [limit, '$count'] }]) } },
    { $set: { count: plusGranted('$count') } },
  ];
}

/** All windows of a user roll over, are judged and are charged in one step, so they describe one instant. */
function userStages(
  asked: number,
  key: string,
  kind: RequestKind,
  limits: RateLimits,
  clock: Expression,
): Document[] {
  const minute = startOf('minute', clock);
  const day = startOf('day', clock);
  const sameMinute = { $eq: ['$minute', minute] };
  const token = { $ifNull: [`$tokens.${key}`, 0] };
  const left = [
    { $subtract: [tokenLimit(limits, kind), token] },
    { $subtract: [limits.userPerMinute, '$count'] },
    { $subtract: [limits.userPerDay, '$dayCount'] },
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
    { $set: { granted: granted(asked, left) } },
    {
      $set: {
        count: plusGranted('$count'),
        dayCount: plusGranted('$dayCount'),
        // A refused token that was not counted in this minute leaves no trace, or the map would grow.
        [`tokens.${key}`]: {
          $cond: [{ $gt: ['$granted', 0] }, plusGranted(token), `$tokens.${key}`],
        },
      },
    },
  ];
}

function addressStatus(
  { minute, at, count, after, allowed }: CountsAt<AddressCounts>,
  limit: number,
): LimitStatus & { msLeft: number } {
  const endsAtMs = minute.getTime() + MINUTE_MS;
  const nowMs = at.getTime();
  const window = { limit, count: count - after, allowed, endsAtMs };
  return { ...limitStatus(window, nowMs), msLeft: endsAtMs - nowMs };
}

function userStatuses(
  counts: CountsAt<UserCounts>,
  key: string,
  limitOfToken: number,
  limits: RateLimits,
): LimitStatus[] {
  const minuteEnd = counts.minute.getTime() + MINUTE_MS;
  const dayEnd = counts.day.getTime() + DAY_MS;
  const { after } = counts;
  const tokenCount = counts.tokens[key] ?? 0;
  const windows = [
    { limit: limitOfToken, count: tokenCount - after, endsAtMs: minuteEnd },
    { limit: limits.userPerMinute, count: counts.count - after, endsAtMs: minuteEnd },
    { limit: limits.userPerDay, count: counts.dayCount - after, endsAtMs: dayEnd },
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

/** As many of those asked for as every window has left. */
function granted(asked: number, left: readonly Document[]): Document {
  return { $max: [0, { $min: [asked, ...left] }] };
}

function plusGranted(count: Expression): Document {
  return { $add: [count, '$granted'] };
}
