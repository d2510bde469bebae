// Refuses pages beyond a number in flight with 503: while the database is slow they would only wait.
import type { Middleware } from '../http/request-state.ts';
import { notAvailable } from './page-error.ts';

/** As many as a process has connections to MongoDB. */
export const PAGES_IN_FLIGHT_MAX = 100;

export function pageCapacity(): Middleware {
  let inFlight = 0;
  return async function pageCapacity(_ctx, next) {
    if (inFlight >= PAGES_IN_FLIGHT_MAX) throw notAvailable();
    inFlight += 1;
    try {
      await next();
    } finally {
      inFlight -= 1;
    }
  };
}
