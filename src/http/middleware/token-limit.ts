// Counts a request for its token and its user; reads beside it which generation answers.
import type { RateLimiter } from '../../access/rate-limits.ts';
import { activeGeneration } from '../../read-store/registry.ts';
import type { ReadDatabase } from '../../read-store/snapshot.ts';
import { begin, type Middleware } from '../request-state.ts';
import { passLimit } from './address-limit.ts';
import { tokenOf } from './authenticate.ts';
import { isRead } from './methods.ts';

export function tokenLimit(limiter: RateLimiter, readModel: ReadDatabase): Middleware {
  return async function tokenLimit(ctx, next) {
    const reads = isRead(ctx.method);
    const counting = limiter.countToken(tokenOf(ctx), reads ? 'read' : 'write');
    if (reads) ctx.state.generation = begin(activeGeneration(readModel));
    passLimit(ctx, await counting);
    await next();
  };
}
