// What stands around the handlers of pages: errors become pages, sign-in attempts count, a path answers by its methods.
import { addressOf } from '../../http/middleware/limits.ts';
import type { Middleware } from '../../http/request-state.ts';
import { reasonOf } from '../../process/describe-error.ts';
import type { Logger } from '../../process/log.ts';
import { isUnavailable } from '../../store/database-errors.ts';
import { html } from '../kit/html.ts';
import type { SettingsOptions } from './options.ts';
import { notAvailable, PageError, tooManyRequests } from './page-error.ts';
import { sendPage } from './send-page.ts';

/** Turns errors into error pages. Only the log shows the cause of a 5xx. */
export function pageErrors(logger: Logger): Middleware {
  return async function pageErrors(ctx, next) {
    const { requestId } = ctx.state;
    try {
      await next();
    } catch (thrown) {
      const error = toPageError(thrown);
      if (error.status === 500) logger.error({ requestId, err: thrown }, 'page failed');
      else if (error !== thrown) {
        logger.warn({ requestId, reason: reasonOf(thrown) }, error.title);
      }
      ctx.set(error.headers);
      const { title, message, status, link } = error;
      const number = status >= 500 ? html`<p class="quiet">Request ${requestId}</p>` : null;
      const content = html`<p>${message}</p>${number}<p><a href="${link.href}">${link.text}</a></p>`;
      sendPage(ctx, { title, content, status });
    }
  };
}

function toPageError(thrown: unknown): PageError {
  if (thrown instanceof PageError) return thrown;
  if (isUnavailable(thrown)) {
    return notAvailable();
  }
  const message = 'It is our fault. If it stays, tell the operator the number below.';
  return new PageError('Something went wrong', message, { status: 500 });
}

/**
 * Counts sign-in attempts toward the client's address, in the same window as API requests. Sends no rate limit headers:
 * those are for programs, and these pages are for people.
 */
export function signInLimit({ access, bounds, config }: SettingsOptions): Middleware {
  const { limiter } = access;
  return async function signInLimit(ctx, next) {
    const address = addressOf(ctx, config.trustedProxies);
    const counted = bounds.uncounted.take();
    if (counted === null) throw notAvailable();
    try {
      const { allowed, retryAfterSeconds } = await limiter.countAddress(address);
      if (!allowed) throw tooManyRequests(retryAfterSeconds);
    } finally {
      counted();
    }
    await next();
  };
}

interface Handlers {
  readonly GET?: Middleware;
  readonly POST?: Middleware;
}

/**
 * Serves one path with a handler for each method that it accepts.
 *
 * @param hasHead whether HEAD is accepted where GET is: not where a GET uses something up
 */
export function byMethod(handlers: Handlers, { hasHead = true } = {}): Middleware {
  const reading = hasHead ? ['GET', 'HEAD'] : ['GET'];
  const allowed = [...(handlers.GET ? reading : []), ...(handlers.POST ? ['POST'] : [])];
  return async function byMethod(ctx, next) {
    // Koa drops the body for HEAD, so GET handlers serve both.
    const method = ctx.method === 'HEAD' && hasHead ? 'GET' : ctx.method;
    const handler = method === 'GET' || method === 'POST' ? handlers[method] : undefined;
    if (handler) return await handler(ctx, next);
    const headers = { Allow: allowed.join(', ') };
    throw new PageError('Not possible', 'This page does not take that.', { status: 405, headers });
  };
}
