// Answers every path that is no endpoint, whatever was sent with it.
import { ApiError } from '../api-error.ts';
import type { Middleware } from '../request-state.ts';

export function unknownPath(): Middleware {
  return async function unknownPath() {
    throw new ApiError('not_found');
  };
}
