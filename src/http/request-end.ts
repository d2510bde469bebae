// How a request ends: what it took is given back; and if its client goes away before the answer, the database stops its
// queries, and its waits end.
import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Context } from './request-state.ts';

/** Shown in logs and metrics only, because nobody receives the answer. The number is nginx's. */
export const ABANDONED_STATUS = 499;

/** A query that ends within this time is not worth its connection, which the driver closes to stop it. */
const GRACE_MS = 100;

class AbandonedError extends Error {
  override readonly name = 'AbandonedError';
}

/** Returns the signal of a request that aborts soon after its client went away, also if it has already. */
export function abandonedSignal(ctx: Context): AbortSignal {
  if (ctx.state.abandoned) return ctx.state.abandoned;
  const abandoned = new AbortController();
  const { res } = ctx;
  // Each query of a request listens.
  setMaxListeners(0, abandoned.signal);
  onceClosed(res, () => {
    if (res.writableFinished) return;
    const abandon = () => abandoned.abort(new AbandonedError('The client has gone away'));
    setTimeout(abandon, GRACE_MS).unref();
  });
  ctx.state.abandoned = abandoned.signal;
  return abandoned.signal;
}

/** Calls `act` when the response closes, at once if it is closed already. */
export function onceClosed(res: ServerResponse, act: () => void): void {
  if (res.closed) act();
  else res.once('close', act);
}
