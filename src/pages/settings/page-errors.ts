// Turns errors into error pages. Only the log shows the cause of a 5xx.
import type { Middleware } from '../../http/request-state.ts';
import { reasonOf } from '../../process/describe-error.ts';
import type { Log } from '../../process/log.ts';
import { isUnavailable } from '../../store/database-errors.ts';
import { html } from '../kit/html.ts';
import { notAvailable, PageError } from './page-error.ts';
import { sendPage } from './send-page.ts';

export function pageErrors(logger: Log): Middleware {
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
