// Which window of a token or its user refused a request. Pure.
import type { LimitStatus, RequestKind } from '../../access/rate-limits.ts';
import type { RateLimits } from '../../config.ts';

export const ADDRESS_WINDOW = 'address_minute';
const TOKEN_WINDOWS = [
  'token_reads_minute',
  'token_writes_minute',
  'user_minute',
  'user_day',
] as const;
export const WINDOWS = [ADDRESS_WINDOW, ...TOKEN_WINDOWS] as const;

const DAY_SECONDS = 86_400;

/** A refusal tells the window's figures, not its name; where two windows are alike it counts for the narrower. */
export function windowOf(
  status: LimitStatus,
  kind: RequestKind,
  limits: RateLimits,
): (typeof TOKEN_WINDOWS)[number] {
  const { limit, resetAt } = status;
  const isMidnight = resetAt % DAY_SECONDS === 0;
  const perToken = kind === 'read' ? limits.tokenReadsPerMinute : limits.tokenWritesPerMinute;
  if (isMidnight && limit === limits.userPerDay) return 'user_day';
  if (limit !== perToken) return 'user_minute';
  return kind === 'read' ? 'token_reads_minute' : 'token_writes_minute';
}
