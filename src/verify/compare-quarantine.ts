// Compares the quarantine with the log: it must hold every record that belongs to no stream, and no other.

import { type Delivery, storedDelivery } from '../projector/fold/delivery.ts';
import { quarantineReason } from '../projector/fold/fold.ts';
import type { StoredQuarantined } from '../store/collections.ts';
import { type Difference, fieldsThatDiffer } from './difference.ts';

export interface Quarantine {
  /** Records as they should be stored, by id. */
  readonly expected: ReadonlyMap<string, StoredQuarantined>;
  expect(delivery: Delivery): void;
}

export function createQuarantine(): Quarantine {
  const expected = new Map<string, StoredQuarantined>();
  return {
    expected,
    expect(delivery) {
      const id = `${delivery.partition}/${delivery.offset}`;
      const reason = quarantineReason(delivery);
      expected.set(id, { ...storedDelivery(id, delivery), value: '', reason });
    },
  };
}

export function compareQuarantine(
  { expected }: Quarantine,
  stored: ReadonlyMap<string, StoredQuarantined>,
): Difference[] {
  const found: Difference[] = [];
  for (const [id, record] of expected) {
    const stream = record.subject;
    const is = stored.get(id);
    if (is) {
      for (const one of fieldsThatDiffer(`quarantine/${id}`, record, asNow(is, record))) {
        found.push({ stream, ...one });
      }
    } else {
      const what = `quarantine/${id}`;
      found.push({ stream, what, expected: JSON.stringify(record), stored: null });
    }
  }
  for (const [id, record] of stored) {
    if (expected.has(id)) continue;
    const what = `quarantine/${id}`;
    found.push({ stream: record.subject, what, expected: null, stored: JSON.stringify(record) });
  }
  return found;
}

// Earlier releases stored the value and no reason.
function asNow(stored: StoredQuarantined, { reason }: StoredQuarantined): object {
  return stored.reason === undefined ? { ...stored, value: '', reason } : stored;
}
