// Counts requests in the database: one document per address or user, one atomic update per request, or for all the
// requests of an address or token that came while its last update was under way. None is let through beyond a limit.
import { type Db, type Document, MongoNetworkError, MongoServerError } from 'mongodb';
import { createBatches } from '../batches.ts';
import type { RateLimits } from '../config.ts';
import { countStages, type Expression, pathOf } from './count-stages.ts';
import { limitStatus, type TimedStatus } from './rate-limits.ts';
import {
  type CountField,
  type CountsCollection,
  countedBy,
  type RequestKind,
  UNIT_MS,
  type Unit,
  type Window,
  windowsOf,
} from './windows.ts';
import { within } from './within.ts';

/** The fields of a document of counts that are read: the units and counts are those of its windows. */
interface Counts
  extends Readonly<Partial<Record<Unit, Date>>>,
    Readonly<Partial<Record<CountField, number | Readonly<Record<string, number>>>>> {
  /** When the last request was counted, by the database's clock. */
  readonly at: Date;
  /** How many of the requests that were counted last were let through. */
  readonly granted: number;
}

/** Counting under this clock is exact in all processes: an aggregation expression for the current time. */
export const DATABASE_CLOCK: Expression = '$$NOW';

/** Two first requests may both try to insert; the loser finds the document at its next try. */
const TRIES_MAX = 5;
const DUPLICATE_KEY = 11000;
/** The member that was asked is no primary any more: ShutdownInProgress, PrimarySteppedDown, NotWritablePrimary and its kind. */
const NO_PRIMARY: ReadonlySet<number> = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);

/** Each returns a status of every window that counts the request, narrow ones first. */
export interface LimitCounts {
  countAddress(key: string): Promise<TimedStatus[]>;
  countToken(token: { id: string; owner: string }, kind: RequestKind): Promise<TimedStatus[]>;
}

export interface LimitCountsOptions {
  readonly db: Db;
  readonly limits: RateLimits;
  readonly clock: Expression;
  readonly timeoutMs: number;
}

/** Requests that are counted at once: they share a document and all windows. */
interface Round {
  readonly id: string;
  readonly kind: RequestKind | null;
  /** The entry of their token in fields that count by token. */
  readonly entry: string;
  readonly asked: number;
}

interface TokenUse {
  readonly id: string;
  readonly owner: string;
  readonly kind: RequestKind;
}

export function createLimitCounts(options: LimitCountsOptions): LimitCounts {
  const countOfAddress = createRounds('limits_address', options);
  const countOfUser = createRounds('limits_user', options);

  // Requests that the address limit admits go on to the token limit: a round of those waits for them, and then takes
  // all of them along.
  let lastAddress: Promise<unknown> = Promise.resolve();
  const countAddresses = createBatches<null, TimedStatus[]>((asked, id) => {
    const counting = countOfAddress({ id, kind: null, entry: '', asked: asked.length });
    lastAddress = counting;
    return counting;
  });
  const countTokens = createBatches<TokenUse, TimedStatus[]>(
    (uses, entry) => {
      // They share the entry, so they are uses of one token.
      const [{ owner, kind }] = uses as [TokenUse];
      return countOfUser({ id: owner, kind, entry, asked: uses.length });
    },
    () => lastAddress,
  );
  return {
    countAddress: key => countAddresses(null, key),
    countToken: ({ id, owner }, kind) => countTokens({ id, owner, kind }, `${id}_${kind}`),
  };
}

/** Returns a function that counts a round in one collection, and returns the statuses of each of its requests. */
function createRounds(
  collection: CountsCollection,
  { db, limits, clock, timeoutMs }: LimitCountsOptions,
): (round: Round) => Promise<TimedStatus[][]> {
  const windows = windowsOf(collection, limits);
  return async function countRound({ id, kind, entry, asked }) {
    const counting = countedBy(windows, kind);
    const paths = counting.flatMap(window => [window.unit, pathOf(window, entry)]);
    const command = {
      findAndModify: collection,
      query: { _id: id },
      update: countStages({ windows, counting, entry, asked, clock }),
      upsert: true,
      new: true,
      fields: Object.fromEntries(['at', 'granted', ...paths].map(path => [path, 1])),
      maxTimeMS: timeoutMs,
      // A count that is lost when a member fails does no harm; waiting for a majority on each request would.
      writeConcern: { w: 1 },
    };
    const counts = await count(db, command, timeoutMs);
    return Array.from({ length: asked }, (_, index) => {
      const after = Math.max(0, counts.granted - index - 1);
      const isGranted = index < counts.granted;
      return counting.map(window =>
        statusAt(counts, window, { count: countIn(counts, window, entry) - after, isGranted }),
      );
    });
  };
}

/**
 * Counts by a plain command: for the driver's own update, which it may send twice, the database would store each
 * document once more. A count whose answer got lost may so be taken twice, which refuses one request too early.
 */
async function count(
  db: Db,
  command: Document & { readonly findAndModify: string },
  timeoutMs: number,
): Promise<Counts> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { value } = await within(timeoutMs, db.command(command));
      if (!value) throw new Error(`Expected the counts of ${command.findAndModify}, got none`);
      return value;
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

function countIn(counts: Counts, { field }: Window, entry: string): number {
  const count = counts[field];
  return typeof count === 'number' ? count : (count?.[entry] ?? 0);
}

/** The status of a window after one of the requests that were counted at once. */
function statusAt(
  counts: Counts,
  { name, unit, limit }: Window,
  { count, isGranted }: { readonly count: number; readonly isGranted: boolean },
): TimedStatus {
  const start = counts[unit];
  if (start === undefined) throw new Error(`Expected the ${unit} of the counts, got none`);
  const endsAtMs = start.getTime() + UNIT_MS[unit];
  const nowMs = counts.at.getTime();
  // Of a refused request only the exhausted windows refuse: the others were not charged.
  const allowed = isGranted || count < limit;
  const status = limitStatus({ window: name, limit, count, allowed, endsAtMs }, nowMs);
  return { ...status, msLeft: endsAtMs - nowMs };
}
