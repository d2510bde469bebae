// Refuses requests with 503 beyond a number in flight, where they would only queue, and while the process stops.
import { unavailable } from '../api-error.ts';
import type { Middleware } from '../request-state.ts';

export function capacity(inFlightMax: number, stopping: AbortSignal): Middleware {
  let inFlight = 0;
  return async function capacity(ctx, next) {
    if (stopping.aborted) {
      ctx.set('Connection', 'close');
      throw unavailable('The service is shutting down');
    }
    if (inFlight >= inFlightMax) throw unavailable('The service is overloaded');
    inFlight += 1;
    try {
      await next();
    } finally {
      inFlight -= 1;
    }
  };
}
