// Answers 404 for every path without an endpoint, for any method and parameters.
import { ApiError } from '../api-error.ts';
import type { Middleware } from '../request-state.ts';

export function unknownPath(): Middleware {
  return async function unknownPath() {
    throw new ApiError('not_found');
  };
}
