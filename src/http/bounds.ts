// What one process takes at one time. Beyond a bound, requests get 503 at once instead of waiting for each other.
import type { ServerResponse } from 'node:http';
import { ANSWERS_BYTES_MAX } from '../store/reading/queries/room.ts';
import { onceClosed } from './request-end.ts';

/** docs/operations.md and docs/monitoring.md describe them, and `budgeting_bound_…` counts them. */
export const BOUNDS = {
  /** Open connections. */
  connections: 5000,
  /** Requests that wait until their address is counted. */
  uncounted: 1000,
  /** Requests of the API that are counted and read, but for those that wait and streams. */
  requests: 500,
  /** Requests that wait for a position or a change. */
  waits: 2000,
  /** Open streams of /events. */
  streams: 2000,
  /** Settings pages: as many as a process has connections to MongoDB. */
  pages: 100,
  /** Bytes of large answers. */
  answers: ANSWERS_BYTES_MAX,
} as const;

/** Readings of one person at a time; further ones wait for their turn. docs/operations.md names it. */
export const READINGS_OF_PERSON = 10;

export type BoundName = keyof typeof BOUNDS;
export type ProcessBounds = Readonly<Record<BoundName, Places>>;

export interface Places {
  readonly max: number;
  /** How many are taken now. */
  taken(): number;
  /** How often none was free. */
  refused(): number;
  /**
   * Takes a place, or so many; returns the function that gives them back, which may be called again, or null if they are not
   * free. A request for more than there are takes all.
   */
  take(places?: number): (() => void) | null;
}

/** @param maxima other numbers than the documented ones */
export function createBounds(maxima: Partial<Record<BoundName, number>> = {}): ProcessBounds {
  const all = { ...BOUNDS, ...maxima };
  const bounds = Object.entries(all).map(([name, max]) => [name, createPlaces(max)] as const);
  return Object.fromEntries(bounds) as ProcessBounds;
}

function createPlaces(max: number): Places {
  let taken = 0;
  let refused = 0;
  return {
    max,
    taken: () => taken,
    refused: () => refused,
    take(places = 1) {
      const wanted = Math.min(places, max);
      if (taken + wanted > max) {
        refused += 1;
        return null;
      }
      taken += wanted;
      let isTaken = true;
      return () => {
        if (isTaken) taken -= wanted;
        isTaken = false;
      };
    },
  };
}

/** Places of which each client has as many. */
export interface Shares {
  hasFree(client: string): boolean;
  /** Takes a place of the client until the response closes. */
  take(client: string, res: ServerResponse): void;
}

export function createShares(max: number): Shares {
  const taken = new Map<string, number>();
  const of = (client: string) => taken.get(client) ?? 0;
  return {
    hasFree: client => of(client) < max,
    take(client, res) {
      taken.set(client, of(client) + 1);
      onceClosed(res, () => {
        const left = of(client) - 1;
        if (left === 0) taken.delete(client);
        else taken.set(client, left);
      });
    },
  };
}
