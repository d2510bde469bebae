// Chooses between the two forms of a list, JSON and CSV.
import type { Context } from './request-state.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** Returns whether the header Accept prefers CSV (RFC 9110, section 12.5.1). Clients that accept neither get JSON. */
export function prefersCsv(ctx: Context): boolean {
  ctx.vary('Accept');
  return ctx.accepts(JSON_TYPE, CSV_TYPE) === CSV_TYPE;
}
