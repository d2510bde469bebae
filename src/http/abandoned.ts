// Requests whose client goes away before the answer: the database stops their queries, and waits end.
import { setMaxListeners } from 'node:events';
import type { Context } from './request-state.ts';

/** Shown in logs and metrics only, because nobody receives the answer. The number is nginx's. */
export const ABANDONED_STATUS = 499;

/** A query that ends within this time is not worth its connection, which the driver closes to stop it. */
const GRACE_MS = 100;

export class AbandonedError extends Error {
  override readonly name = 'AbandonedError';
}

/** Returns a signal that aborts soon after the client of a request went away. */
export function abandonedSignal(ctx: Context): AbortSignal {
  const abandoned = new AbortController();
  const { res } = ctx;
  // Each query of a request listens.
  setMaxListeners(0, abandoned.signal);
  res.once('close', () => {
    if (res.writableFinished) return;
    const abandon = () => abandoned.abort(new AbandonedError('The client has gone away'));
    setTimeout(abandon, GRACE_MS).unref();
  });
  ctx.state.abandoned = abandoned.signal;
  return abandoned.signal;
}
