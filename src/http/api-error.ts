// The errors that clients see: the table of codes, and the class that carries one.
import type { LimitStatus } from '../access/rate-limits.ts';

/** HTTP status and default message of each code. */
export const ERRORS = {
  missing_parameter: { status: 400, message: 'A parameter is missing' },
  invalid_parameter: { status: 400, message: 'A parameter is not as expected' },
  unknown_parameter: { status: 400, message: 'A parameter is not known' },
  unauthenticated: { status: 401, message: 'Expected the header Authorization: Bearer <token>' },
  invalid_token: { status: 401, message: 'The token is wrong, revoked or expired' },
  insufficient_scope: { status: 403, message: 'The token lacks a scope' },
  budget_not_allowed: { status: 403, message: 'The token is not scoped to this budget' },
  not_found: { status: 404, message: 'Not found' },
  method_not_allowed: { status: 405, message: 'Expected GET or HEAD' },
  rate_limited: { status: 429, message: 'Too many requests' },
  internal_error: { status: 500, message: 'Something went wrong' },
  unavailable: { status: 503, message: 'The service is not available at the moment' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** One bad parameter or header of a request. */
export interface ParameterProblem {
  readonly param: string;
  readonly code: 'missing_parameter' | 'invalid_parameter' | 'unknown_parameter';
  /** A sentence for people. */
  readonly message: string;
}

interface ApiErrorOptions {
  readonly message?: string;
  readonly details?: readonly ParameterProblem[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Logged, never sent. */
  readonly cause?: unknown;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  /** Empty unless the status is 400. */
  readonly details: readonly ParameterProblem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
  }
}

/** Bounds an answer to a query of thousands of unknown names. */
export const DETAILS_MAX = 20;

/** Returns an error of status 400 with the code and message of the first problem. */
export function badParameters(
  problems: readonly [ParameterProblem, ...ParameterProblem[]],
): ApiError {
  const [{ code, message: first }] = problems;
  const details = problems.slice(0, DETAILS_MAX);
  const more = problems.length - details.length;
  const message = more === 0 ? first : `${first}; ${more} more are wrong, which details leaves out`;
  return new ApiError(code, { message, details });
}

/** Returns the JSON body of an error. */
export function errorBody(
  { code, message, details }: Pick<ApiError, 'code' | 'message' | 'details'>,
  requestId: string,
): string {
  const param = details[0]?.param ?? null;
  return JSON.stringify({ error: { code, message, param, requestId, details } });
}

export function rateLimited(status: LimitStatus): ApiError {
  const headers = { 'Retry-After': String(status.retryAfterSeconds) };
  return new ApiError('rate_limited', { headers });
}

/** Most outages end by themselves within moments, so clients may retry soon. */
const RETRY_AFTER_SECONDS = 2;

export function unavailable(message: string, cause?: unknown): ApiError {
  const headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
  return new ApiError('unavailable', { message, headers, cause });
}

/** `what` completes "The service is being upgraded: … when that is done". */
export function upgrading(what: string): ApiError {
  return unavailable(`The service is being upgraded: ${what} when that is done`);
}

export function overloaded(): ApiError {
  return unavailable('The service is overloaded');
}
