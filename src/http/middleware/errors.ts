// Turns every thrown value into an error answer. The cause of a 5xx is only logged, under its requestId; of a
// 503 in one line, because its stack says nothing.

import { reasonOf } from '../../process/describe-error.ts';
import type { Logger } from '../../process/log.ts';
import { isUnavailable } from '../../store/database-errors.ts';
import { ApiError, errorBody, unavailable } from '../api-error.ts';
import { ABANDONED_STATUS } from '../request-end.ts';
import type { Context, Middleware } from '../request-state.ts';

export function errors(logger: Logger): Middleware {
  return async function errors(ctx, next) {
    try {
      await next();
    } catch (thrown) {
      if (ctx.state.abandoned?.aborted) {
        ctx.status = ABANDONED_STATUS;
        return;
      }
      const error = toApiError(thrown);
      show(ctx, error);
      logCause(logger, ctx.state.requestId, error);
    }
  };
}

/** Logs the cause of an error that is not the client's. */
export function logCause(logger: Logger, requestId: string, error: ApiError): void {
  if (error.status === 500) logger.error({ requestId, err: error.cause }, 'request failed');
  else if (error.cause !== undefined) {
    logger.warn({ requestId, reason: reasonOf(error.cause) }, error.message);
  }
}

export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isUnavailable(thrown)) {
    return unavailable('The database is away or too slow', thrown);
  }
  return new ApiError('internal_error', { cause: thrown });
}

function show(ctx: Context, error: ApiError): void {
  ctx.status = error.status;
  ctx.set('Cache-Control', 'no-store');
  ctx.set(error.headers);
  ctx.type = 'json';
  ctx.body = errorBody(error, ctx.state.requestId);
}
