// What an operator does about a partition whose log is not the one that was projected.

const RECORDS_BACK =
  'bring the records back at their offsets and start the projectors again; docs/operations.md, DATA_LOSS, has all ways out';
const ANOTHER_TOPIC =
  'a topic never gets its number of partitions back: copy its events by key to a new one; docs/operations.md, Another cluster, another topic, more partitions';

/** Returns the way out for each kind of damage among the reasons, once. */
export function remediesOf(reasons: readonly string[]): string[] {
  return [...new Set(reasons.map(remedyOf))];
}

function remedyOf(reason: string): string {
  return / partitions, got /.test(reason) ? ANOTHER_TOPIC : RECORDS_BACK;
}
