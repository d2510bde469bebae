// What is not there, and what belongs to somebody else, must not be distinguishable.
import type { ExecutionContext } from 'ava';
import { holdsTo } from './contract.ts';
import type { Answered } from './serve.ts';

const OF_FOUND = ['etag', 'x-projection-position', 'x-projection-parked-since'];

/** The answer is 404, like that for an absent budget, and says no more. */
export function expectSame404(
  t: ExecutionContext,
  absent: Answered,
  [what, { status, headers, body }]: readonly [what: string, answer: Answered],
): void {
  t.is(status, 404, what);
  t.is(holdsTo('error', body), null, what);
  t.deepEqual({ ...body.error, requestId: '' }, { ...absent.body.error, requestId: '' }, what);
  for (const name of OF_FOUND) t.is(headers.get(name), null, `${what}: ${name}`);
}
