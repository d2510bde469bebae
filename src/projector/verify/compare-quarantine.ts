// Records that belong to no stream: the quarantine must have each of them, and no other.
import type { StoredQuarantined } from '../../read-store/collections.ts';
import type { Delivery } from '../delivery.ts';
import { elsewhereReason } from '../fold.ts';
import { storedDelivery } from '../work.ts';
import { type Difference, fieldsThatDiffer } from './difference.ts';

export interface Quarantine {
  /** As they should be stored, by id. */
  readonly expected: ReadonlyMap<string, StoredQuarantined>;
  /** @param home the partition in which the stream of the record began; null for a record without a stream */
  expect(delivery: Delivery, home: number | null): void;
  /** Of a budget that was deleted since: the record may have come before. */
  readonly allowed: ReadonlySet<string>;
  allow(delivery: Delivery): void;
}

export function createQuarantine(): Quarantine {
  const expected = new Map<string, StoredQuarantined>();
  const allowed = new Set<string>();
  return {
    expected,
    allowed,
    allow: ({ partition, offset }) => void allowed.add(`${partition}/${offset}`),
    expect(delivery, home) {
      const { subject, partition, offset, problem } = delivery;
      const id = `${partition}/${offset}`;
      const reason =
        home === null || subject === null
          ? (problem ?? 'It names no stream')
          : elsewhereReason({ id: subject, partition: home }, delivery);
      expected.set(id, { ...storedDelivery(id, delivery), value: '', reason });
    },
  };
}

export function compareQuarantine(
  { expected, allowed }: Quarantine,
  stored: ReadonlyMap<string, StoredQuarantined>,
): Difference[] {
  const found: Difference[] = [];
  for (const [id, record] of expected) {
    const stream = record.subject;
    const what = `quarantine/${id}`;
    const is = stored.get(id);
    const differences = is
      ? fieldsThatDiffer(what, record, asNow(is, record))
      : [{ what, expected: JSON.stringify(record), stored: null }];
    for (const difference of differences) found.push({ stream, ...difference });
  }
  for (const [id, record] of stored) {
    if (expected.has(id) || allowed.has(id)) continue;
    const what = `quarantine/${id}`;
    found.push({ stream: record.subject, what, expected: null, stored: JSON.stringify(record) });
  }
  return found;
}

// Earlier releases kept the value, and no reason.
function asNow(stored: StoredQuarantined, { reason }: StoredQuarantined): object {
  return stored.reason === undefined ? { ...stored, value: '', reason } : stored;
}
