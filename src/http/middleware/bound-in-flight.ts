// Refuses requests beyond a number at one time, where they would only wait for each other.
import type { Middleware } from '../request-state.ts';

export function boundInFlight(max: number, refusal: () => Error): Middleware {
  let inFlight = 0;
  return async function boundInFlight(_ctx, next) {
    if (inFlight >= max) throw refusal();
    inFlight += 1;
    try {
      await next();
    } finally {
      inFlight -= 1;
    }
  };
}
