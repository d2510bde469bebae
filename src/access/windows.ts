// The windows of the rate limits in one table: the counts in the database, the statuses, the headers and the metrics
// follow from it (rules/api.md#windows).
import type { RateLimits } from '../process/config.ts';

export type RequestKind = 'read' | 'write';

/** Windows begin at full units of time in UTC. */
export const UNIT_MS = { minute: 60_000, day: 86_400_000 } as const;
export type Unit = keyof typeof UNIT_MS;

/** The collection of counts for each key of windows. One update charges all windows of a document, or none. */
const COLLECTIONS = {
  address: 'limits_address',
  token: 'limits_user',
  user: 'limits_user',
} as const;
export type CountsCollection = (typeof COLLECTIONS)[keyof typeof COLLECTIONS];

/** Fields of counts; `tokens` has an entry for each token and kind of request. */
export type CountField = 'count' | 'dayCount' | 'tokens';

interface WindowRow {
  /** Its label in metrics. */
  readonly name: string;
  readonly unit: Unit;
  readonly key: keyof typeof COLLECTIONS;
  /** The kind of requests that it counts; null for all. */
  readonly kind: RequestKind | null;
  readonly field: CountField;
}

/** By the names of their limits, narrow windows first; a limit without a window is a compile error. */
export const WINDOWS = {
  addressPerMinute: {
    name: 'address_minute',
    unit: 'minute',
    key: 'address',
    kind: null,
    field: 'count',
  },
  tokenReadsPerMinute: {
    name: 'token_reads_minute',
    unit: 'minute',
    key: 'token',
    kind: 'read',
    field: 'tokens',
  },
  tokenWritesPerMinute: {
    name: 'token_writes_minute',
    unit: 'minute',
    key: 'token',
    kind: 'write',
    field: 'tokens',
  },
  userPerMinute: { name: 'user_minute', unit: 'minute', key: 'user', kind: null, field: 'count' },
  userPerDay: { name: 'user_day', unit: 'day', key: 'user', kind: null, field: 'dayCount' },
} as const satisfies Record<keyof RateLimits, WindowRow>;

export type WindowName = (typeof WINDOWS)[keyof RateLimits]['name'];

/** A window with its configured limit. */
export interface Window extends WindowRow {
  readonly name: WindowName;
  readonly limit: number;
}

/** Returns the windows that a collection counts, in the order of the table. */
export function windowsOf(collection: CountsCollection, limits: RateLimits): Window[] {
  return (Object.keys(WINDOWS) as (keyof RateLimits)[])
    .map(limit => ({ ...WINDOWS[limit], limit: limits[limit] }))
    .filter(({ key }) => COLLECTIONS[key] === collection);
}

/**
 * Returns the windows that count a request of a kind. Windows with the same unit and limit look alike in every answer,
 * so they share the name of the narrowest.
 */
export function countedBy(windows: readonly Window[], kind: RequestKind | null): Window[] {
  const counting = windows.filter(window => window.kind === null || window.kind === kind);
  return counting.map(window => {
    const { unit, limit } = window;
    const alike = counting.find(other => other.unit === unit && other.limit === limit);
    return { ...window, name: alike?.name ?? window.name };
  });
}
