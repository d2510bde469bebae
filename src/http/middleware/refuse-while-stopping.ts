// Refuses requests with 503 while the process stops, and closes their connections.
import { unavailable } from '../api-error.ts';
import type { Middleware } from '../request-state.ts';

export function refuseWhileStopping(stopping: AbortSignal): Middleware {
  return async function refuseWhileStopping(ctx, next) {
    if (stopping.aborted) {
      ctx.set('Connection', 'close');
      throw unavailable('The service is shutting down');
    }
    await next();
  };
}
