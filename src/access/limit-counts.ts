// Counts requests in the database, in one document per address or user. Requests that arrive during an update of their
// address or token share the next update. Updates are atomic, so no request passes beyond a limit; their stages are built
// below from the windows that the document counts.
import { type Db, type Document, MongoNetworkError, MongoServerError } from 'mongodb';
import { createBatches } from '../process/batches.ts';
import type { RateLimits } from '../process/config.ts';
import { DUPLICATE_KEY, withDeadline } from '../store/database-errors.ts';
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

type Expression = string | Document;

/** The fields that are read of a counts document: the start of each unit's window, and the counts. */
interface Counts
  extends Readonly<Partial<Record<Unit, Date>>>,
    Readonly<Partial<Record<CountField, number | Readonly<Record<string, number>>>>> {
  /** When the last request was counted, by the database's clock. */
  readonly at: Date;
  /** How many requests of the last update were granted. */
  readonly granted: number;
}

/** Aggregation expression for the database's time: one clock for all processes, so that their counts are exact. */
export const DATABASE_CLOCK: Expression = '$$NOW';

/** A document outlives its windows by ten minutes, so that another member's fast clock does not remove it early. */
const KEPT_AFTER_MS = 600_000;
/** Two first requests may both try to insert; the loser finds the document when it retries. */
const TRIES_MAX = 5;
/** Codes of a member that is no longer primary: ShutdownInProgress, PrimarySteppedDown, NotWritablePrimary … */
const NO_PRIMARY: ReadonlySet<number> = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);

/** Both methods return the status of every window that counts the request, narrow windows first. */
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

/** Requests that one update counts: they share a document and all windows. */
interface Round {
  readonly id: string;
  readonly kind: RequestKind | null;
  /** The key of their token and kind in fields that count by token. */
  readonly entry: string;
  /** Number of requests to count at once. */
  readonly asked: number;
}

interface TokenUse {
  readonly owner: string;
  readonly kind: RequestKind;
}

export function createLimitCounts(options: LimitCountsOptions): LimitCounts {
  const countOfAddress = createRounds('limits_address', options);
  const countOfUser = createRounds('limits_user', options);

  // Requests that the address limit admits go on to the token limit, so a token round waits for the last address round
  // and takes those requests along.
  let lastAddress: Promise<unknown> = Promise.resolve();
  const countAddresses = createBatches<null, TimedStatus[]>((asked, id) => {
    const counting = countOfAddress({ id, kind: null, entry: '', asked: asked.length });
    lastAddress = counting;
    return counting;
  });
  const countTokens = createBatches<TokenUse, TimedStatus[]>(
    (uses, entry) => {
      // All uses in a batch share the entry, so they are of one token and kind.
      const [{ owner, kind }] = uses as [TokenUse];
      return countOfUser({ id: owner, kind, entry, asked: uses.length });
    },
    () => lastAddress,
  );
  return {
    countAddress: key => countAddresses(null, key),
    countToken: ({ id, owner }, kind) => countTokens({ owner, kind }, `${id}_${kind}`),
  };
}

/** Returns a function that counts a round in one collection and returns the statuses for each of its requests. */
function createRounds(
  collection: CountsCollection,
  { db, limits, clock, timeoutMs }: LimitCountsOptions,
): (round: Round) => Promise<TimedStatus[][]> {
  const windows = windowsOf(collection, limits);
  const countingOf = {
    read: countedBy(windows, 'read'),
    write: countedBy(windows, 'write'),
    any: countedBy(windows, null),
  };
  return async function countRound({ id, kind, entry, asked }) {
    const counting = countingOf[kind ?? 'any'];
    const paths = counting.flatMap(window => [window.unit, pathOf(window, entry)]);
    const command = {
      findAndModify: collection,
      query: { _id: id },
      update: countStages({ windows, counting, entry, asked, clock }),
      upsert: true,
      new: true,
      fields: Object.fromEntries(['at', 'granted', ...paths].map(path => [path, 1])),
      maxTimeMS: timeoutMs,
      // A count lost in a failover does no harm; waiting for a majority on each request would.
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
 * Counts by a plain command: the driver's own update is retryable, for which the database would store each document a
 * second time. So a count whose answer is lost may be taken twice, which refuses one request too early.
 */
async function count(
  db: Db,
  command: Document & { readonly findAndModify: string },
  timeoutMs: number,
): Promise<Counts> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { value } = await withDeadline(timeoutMs, db.command(command));
      if (!value) throw new Error(`Expected the counts of ${command.findAndModify}, got none`);
      return value;
    } catch (error) {
      if (!mayRetry(error, tries)) throw error;
    }
  }
}

function mayRetry(error: unknown, tries: number): boolean {
  if (error instanceof MongoNetworkError) return tries === 1;
  if (!(error instanceof MongoServerError)) return false;
  if (error.code === DUPLICATE_KEY) return tries < TRIES_MAX;
  return tries === 1 && NO_PRIMARY.has(Number(error.code));
}

function countIn(counts: Counts, { field }: Window, entry: string): number {
  const count = counts[field];
  return typeof count === 'number' ? count : (count?.[entry] ?? 0);
}

/** Returns the status of a window right after one request of a round. */
function statusAt(
  counts: Counts,
  { name, unit, limit }: Window,
  { count, isGranted }: { readonly count: number; readonly isGranted: boolean },
): TimedStatus {
  const start = counts[unit];
  if (start === undefined) throw new Error(`Expected the ${unit} of the counts, got none`);
  const endsAtMs = start.getTime() + UNIT_MS[unit];
  const nowMs = counts.at.getTime();
  // A refused request charges no window, and only the exhausted windows report the refusal.
  const allowed = isGranted || count < limit;
  const status = limitStatus({ window: name, limit, count, allowed, endsAtMs }, nowMs);
  return { ...status, msLeft: endsAtMs - nowMs };
}

interface Charge extends Pick<Round, 'entry' | 'asked'>, Pick<LimitCountsOptions, 'clock'> {
  /** All windows of the document; ended ones restart. */
  readonly windows: readonly Window[];
  /** The windows that count these requests. */
  readonly counting: readonly Window[];
}

/**
 * Returns the stages of one atomic update: restart ended windows, grant as much as all windows have left, charge it. So
 * all counts describe the same instant.
 */
function countStages({ windows, counting, entry, asked, clock }: Charge): Document[] {
  const left = counting.map(window => ({ $subtract: [window.limit, countOf(window, entry)] }));
  const charged = counting.map(window => [pathOf(window, entry), chargedCount(window, entry)]);
  return [
    { $set: begun(windows, clock) },
    // As many of the requests as every window has left.
    { $set: { granted: { $max: [0, { $min: [asked, ...left] }] } } },
    { $set: Object.fromEntries(charged) },
  ];
}

/** Returns the path of a window's count in its document. */
function pathOf({ key, field }: Window, entry: string): string {
  return key === 'token' ? `${field}.${entry}` : field;
}

function begun(windows: readonly Window[], clock: Expression): Document {
  const units = new Set(windows.map(({ unit }) => unit));
  const counts = windows.map(({ unit, key, field }) => {
    const isSame = { $eq: [`$${unit}`, startOf(unit, clock)] };
    // Empties the field with its window, so that no entries of former tokens stay.
    const none = key === 'token' ? { $literal: {} } : 0;
    return [field, { $cond: [isSame, `$${field}`, none] }];
  });
  const longest = [...units].reduce((a, b) => (UNIT_MS[b] > UNIT_MS[a] ? b : a));
  return {
    at: clock,
    ...Object.fromEntries([...units].map(unit => [unit, startOf(unit, clock)])),
    ...Object.fromEntries(counts),
    expiresAt: { $add: [startOf(longest, clock), UNIT_MS[longest] + KEPT_AFTER_MS] },
  };
}

function countOf(window: Window, entry: string): Expression {
  const count = `$${pathOf(window, entry)}`;
  return window.key === 'token' ? { $ifNull: [count, 0] } : count;
}

function chargedCount(window: Window, entry: string): Document {
  const charged = { $add: [countOf(window, entry), '$granted'] };
  if (window.key !== 'token') return charged;
  // A refused request adds no entry for a token without one, or the field would grow.
  return { $cond: [{ $gt: ['$granted', 0] }, charged, `$${pathOf(window, entry)}`] };
}

function startOf(unit: Unit, clock: Expression): Document {
  return { $dateTrunc: { date: clock, unit } };
}
