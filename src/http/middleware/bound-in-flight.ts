// Refuses requests beyond a number at one time, where they would only wait for each other. A request keeps its place
// until its answer has left this process, because until then it takes memory.
import { unavailable } from '../api-error.ts';
import type { Places } from '../bounds.ts';
import type { Context, Middleware } from '../request-state.ts';

export function boundInFlight(places: Places, refusal: () => Error): Middleware {
  return async function boundInFlight(ctx, next) {
    const leave = places.take();
    if (leave === null) throw refusal();
    ctx.state.leavePlace = leave;
    try {
      await next();
    } finally {
      if (ctx.res.closed) ctx.state.leavePlace();
      else ctx.res.once('close', () => ctx.state.leavePlace?.());
    }
  };
}

/** Returns a function that moves a request to the places of waits, so that it keeps no other request away. */
export function moveToWaits({ state }: Context, waits: Places): () => void {
  let isWaiting = false;
  return function moveToWaits() {
    if (isWaiting) return;
    const leave = waits.take();
    if (leave === null) throw unavailable('Too many requests wait for a position');
    isWaiting = true;
    state.leavePlace?.();
    state.leavePlace = leave;
  };
}
