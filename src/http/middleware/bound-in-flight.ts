// Refuses requests beyond a number at one time, where they would only wait for each other. A request keeps its place
// until its answer has left this process, because until then it takes memory.
import { unavailable } from '../api-error.ts';
import type { Places } from '../bounds.ts';
import { onceClosed } from '../request-end.ts';
import type { Context, Middleware } from '../request-state.ts';

export function boundInFlight(places: Places, refusal: () => Error): Middleware {
  return async function boundInFlight(ctx, next) {
    const leave = places.take();
    if (leave === null) throw refusal();
    ctx.state.leavePlace = leave;
    try {
      await next();
    } finally {
      onceClosed(ctx.res, () => ctx.state.leavePlace?.());
    }
  };
}

/** Returns a function that moves a request to other places, so that it keeps no other request away while it lasts. */
export function moveTo({ state }: Context, places: Places, refusal: string): () => void {
  let isMoved = false;
  return function move() {
    if (isMoved) return;
    const leave = places.take();
    if (leave === null) throw unavailable(refusal);
    isMoved = true;
    state.leavePlace?.();
    state.leavePlace = leave;
  };
}

/** Takes room for a large answer, in bytes; returns the function that gives it back. */
export function takeRoom(places: Places, bytes: number): () => void {
  const leave = places.take(bytes);
  if (leave !== null) return leave;
  throw unavailable('Other large answers take all room: ask for less, or later');
}
