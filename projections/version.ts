// The version of the projections, and which versions read the same events alike.

/** Each version builds a generation of its own. */
export const PROJECTIONS_VERSION = 5;

/**
 * The versions that read old events otherwise than the version before: they knew a new type, or obeyed a new rule.
 * Copies that clients made before may then be wrong about old events, so earlier cursors of /changes are refused.
 *
 * 4: Events outside the home partition of their stream no longer count.
 */
const READ_OTHERWISE_SINCE: readonly number[] = [4];

/** Returns a number that two versions share if they read all events alike. */
export function readingOf(version: number): number {
  return READ_OTHERWISE_SINCE.filter(since => since <= version).length;
}
