// Compares the quarantine with the log: it must hold every record that belongs to no stream, and no other.
import type { StoredQuarantined } from '../../read-store/collections.ts';
import { type Delivery, storedDelivery } from '../fold/delivery.ts';
import { elsewhereReason } from '../fold/home.ts';
import { type Difference, fieldsThatDiffer } from './difference.ts';

export interface Quarantine {
  /** Records as they should be stored, by id. */
  readonly expected: ReadonlyMap<string, StoredQuarantined>;
  /** @param home the partition in which the stream of the record began; null for a record without a stream */
  expect(delivery: Delivery, home: number | null): void;
  /** Ids of records that may be quarantined: those that arrived before the deletion of their budget, not after it. */
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
  const missing = new Map<string, StoredQuarantined[]>();
  for (const [id, record] of expected) {
    const stream = record.subject;
    const is = stored.get(id);
    if (is) {
      for (const one of fieldsThatDiffer(`quarantine/${id}`, record, asNow(is, record))) {
        found.push({ stream, ...one });
      }
    } else {
      const others = missing.get(stream) ?? [];
      others.push(record);
      missing.set(stream, others);
    }
  }
  for (const [stream, records] of missing) found.push(missingOf(stream, records));
  for (const [id, record] of stored) {
    if (expected.has(id) || allowed.has(id)) continue;
    const what = `quarantine/${id}`;
    found.push({ stream: record.subject, what, expected: null, stored: JSON.stringify(record) });
  }
  return found;
}

// A head that names the wrong partition makes all records of its stream missing: they are one difference.
function missingOf(stream: string, [first, ...others]: readonly StoredQuarantined[]): Difference {
  const more = others.length === 0 ? '' : ` and ${others.length} more of the stream`;
  const what = `quarantine/${first?._id}${more}`;
  return { stream, what, expected: JSON.stringify(first), stored: null };
}

// Earlier releases stored the value and no reason.
function asNow(stored: StoredQuarantined, { reason }: StoredQuarantined): object {
  return stored.reason === undefined ? { ...stored, value: '', reason } : stored;
}
