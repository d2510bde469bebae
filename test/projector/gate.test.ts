// The gate of a stream, call by call (rules/events.md#sequence).
import test from 'ava';
import type { Head } from '../../projections/documents.ts';
import { newHead } from '../../projections/new-head.ts';
import type { DomainEvent } from '../../schemas/generated/events.ts';
import type { IsSkipped } from '../../src/access/decisions.ts';
import type { Delivery } from '../../src/projector/fold/delivery.ts';
import { type Admission, admit } from '../../src/projector/fold/gate.ts';

const at5: Head = { ...newHead('s', 0), sequence: 5, eventId: 'e5' };
const held: Head = {
  ...at5,
  held: { since: '2024-01-01T00:00:00.000Z', why: 'parked', reason: 'bad', queued: 1 },
};
const deleted: Head = { ...newHead('s', 0), sequence: 5, deleted: true };

function delivery(sequence: number, changes: Partial<Delivery> = {}): Delivery {
  return {
    partition: 0,
    offset: 99,
    subject: 's',
    sequence,
    eventId: `e${sequence}`,
    time: '2024-01-01T00:00:00.000Z',
    // The gate only checks whether there is an event.
    event: {} as DomainEvent,
    problem: null,
    value: '',
    ...changes,
  };
}

const nothing: IsSkipped = () => false;
/** Looks decisions up by id; null stands for any event of a sequence. */
const decided = (...ids: string[]): IsSkipped => {
  return (subject, sequence, eventId) =>
    ids.includes(`${subject}/${sequence}/${eventId}`) ||
    ids.includes(`${subject}/${sequence}/null`);
};

const invalid = { event: null, problem: 'Expected better' };
const garbage = { ...invalid, eventId: 'hash:1' };
const unknownType = { event: null };
const drop = (because: 'duplicate' | 'deleted' | 'decided'): Admission => ({
  kind: 'drop',
  because,
});
const begins = (why: 'parked' | 'gap', reason: string): Admission => ({
  kind: 'wait',
  begins: { why, reason },
});
const apply: Admission = { kind: 'apply' };
const unknown: Admission = { kind: 'pass', because: 'unknown' };
const skip: Admission = { kind: 'pass', because: 'decided' };
const joins: Admission = { kind: 'wait', begins: null };

const ROWS: readonly (readonly [string, Head, Delivery, Admission, IsSkipped?])[] = [
  ['the next sequence is applied', at5, delivery(6), apply],
  ['the first sequence of a new stream is applied', newHead('s', 0), delivery(1), apply],
  [
    'an unknown type has no effect, and its sequence counts',
    at5,
    delivery(6, unknownType),
    unknown,
  ],
  ['an applied sequence is a duplicate', at5, delivery(4), drop('duplicate')],
  [
    'an applied sequence with another id is a duplicate',
    at5,
    delivery(4, { eventId: 'x' }),
    drop('duplicate'),
  ],
  [
    'an applied sequence of an invalid event is a duplicate',
    at5,
    delivery(4, invalid),
    drop('duplicate'),
  ],
  ['the last applied event again is a duplicate', at5, delivery(5), drop('duplicate')],
  [
    'the last applied sequence with another id is a conflict',
    at5,
    delivery(5, { eventId: 'x' }),
    begins('parked', 'Sequence 5 was applied already, as event e5'),
  ],
  ['a conflict on a held stream joins its queue', held, delivery(5, { eventId: 'x' }), joins],
  ['a sequence too high is a gap', at5, delivery(8), begins('gap', 'Expected sequence 6, got 8')],
  ['an invalid event is parked', at5, delivery(6, invalid), begins('parked', 'Expected better')],
  [
    'an invalid event with a sequence too high waits for its turn',
    at5,
    delivery(7, invalid),
    begins('gap', 'Expected sequence 6, got 7'),
  ],
  ['the next sequence joins the queue of a held stream', held, delivery(6), joins],
  ['any later sequence joins the queue of a held stream', held, delivery(60, invalid), joins],
  ['a duplicate on a held stream is dropped', held, delivery(5), drop('duplicate')],
  [
    'a record without a sequence is parked at once',
    at5,
    delivery(0, garbage),
    begins('parked', 'Expected better'),
  ],
  [
    'a record without a sequence joins the queue of a held stream',
    held,
    delivery(0, garbage),
    joins,
  ],
  ['after budget.deleted everything is dropped', deleted, delivery(6), drop('deleted')],
  ['after budget.deleted its own sequence is dropped', deleted, delivery(5), drop('deleted')],
  ['after budget.deleted garbage is dropped', deleted, delivery(0, garbage), drop('deleted')],
  [
    'a skipped event has no effect, and its sequence counts',
    at5,
    delivery(6, invalid),
    skip,
    decided('s/6/e6'),
  ],
  ['a skipped event that is valid by now has no effect', at5, delivery(6), skip, decided('s/6/e6')],
  [
    'another event with the sequence of a skipped one is applied',
    at5,
    delivery(6, { eventId: 'x' }),
    apply,
    decided('s/6/e6'),
  ],
  ['a decision is about one stream', at5, delivery(6), apply, decided('t/6/e6')],
  [
    'a skipped event still waits where an earlier sequence is missing',
    at5,
    delivery(7),
    begins('gap', 'Expected sequence 6, got 7'),
    decided('s/7/e7'),
  ],
  [
    'a skipped conflict is dropped',
    at5,
    delivery(5, { eventId: 'x' }),
    drop('decided'),
    decided('s/5/x'),
  ],
  ['skipped garbage is dropped', at5, delivery(0, garbage), drop('decided'), decided('s/0/hash:1')],
  [
    'skipped garbage is dropped on a held stream',
    held,
    delivery(0, garbage),
    drop('decided'),
    decided('s/0/hash:1'),
  ],
  [
    'missing sequences that were given up count as applied',
    at5,
    delivery(8),
    apply,
    decided('s/6/null', 's/7/null'),
  ],
  [
    'all missing sequences must be given up',
    at5,
    delivery(9),
    begins('gap', 'Expected sequence 7, got 9'),
    decided('s/6/null', 's/8/null'),
  ],
  [
    'an event whose sequence was given up has no effect',
    at5,
    delivery(6),
    skip,
    decided('s/6/null'),
  ],
  [
    'a skip of one event does not give up its sequence',
    at5,
    delivery(7),
    begins('gap', 'Expected sequence 6, got 7'),
    decided('s/6/e6'),
  ],
];

for (const [title, head, given, expected, isSkipped = nothing] of ROWS) {
  test(title, t => t.deepEqual(admit(head, given, isSkipped), expected));
}
