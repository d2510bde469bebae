// Deliveries: the attributes of each record, and that a record read again is the same delivery.
import test from 'ava';
import { deliveryOf, textOf } from '../../src/projector/fold/delivery.ts';
import { queueEntryId } from '../../src/projector/fold/fold.ts';
import { payee } from '../model/scene.ts';
import { eventMaker } from '../projections/story.ts';

const EVENT = eventMaker('budget-1')(payee('shop'), {
  sequence: 7,
  time: '2024-01-01T10:00:00.5Z',
});
const PLACE = { partition: 3, offset: 40 };
const NO_TIME = '1970-01-01T00:00:00.000Z';
const bytes = (text: string) => Buffer.from(text);
const record = (value: object | string, key: string | null = 'budget-1') => ({
  ...PLACE,
  key,
  value: bytes(typeof value === 'string' ? value : JSON.stringify(value)),
});

test('an event is delivered with its attributes', t => {
  const delivery = deliveryOf(record(EVENT));
  t.like(delivery, {
    ...PLACE,
    subject: 'budget-1',
    sequence: 7,
    eventId: 'budget-1.7',
    time: '2024-01-01T10:00:00.500Z',
    problem: null,
  });
  t.is(textOf(delivery.value), JSON.stringify(EVENT));
  t.is(delivery.event?.type, 'payee.added');
});

test('an unknown type is neither a problem nor an event', t => {
  const delivery = deliveryOf(record({ ...EVENT, type: 'goal.set', data: 5 }));
  t.like(delivery, { event: null, problem: null, sequence: 7, eventId: 'budget-1.7' });
});

test('the delivery of an invalid event keeps its well-formed attributes', t => {
  const delivery = deliveryOf(record({ ...EVENT, schemaversion: 2 }));
  t.like(delivery, { event: null, subject: 'budget-1', sequence: 7, eventId: 'budget-1.7' });
  t.is(delivery.time, '2024-01-01T10:00:00.500Z');
  t.is(delivery.problem, 'Expected a known schemaversion of payee.added, got 2');
});

test('a record that is no event gets sequence 0, a fixed time, and its hash as an id', t => {
  const delivery = deliveryOf(record('{"sequence": "many"'));
  t.like(delivery, { subject: 'budget-1', sequence: 0, time: NO_TIME, event: null });
  t.regex(delivery.eventId, /^hash:[0-9a-f]{32}$/);
  t.is(deliveryOf({ ...record('{"sequence": "many"'), offset: 41 }).eventId, delivery.eventId);
  t.not(deliveryOf(record('{"sequence": "some"')).eventId, delivery.eventId);
});

test('a record without a valid time has the time when the log stored it', t => {
  const timestamp = '2026-11-20T16:00:00.123Z';
  const broken = deliveryOf({ ...record('{"sequence": "many"'), timestamp });
  t.is(broken.time, timestamp);
  t.is(deliveryOf({ ...record(EVENT), timestamp }).time, '2024-01-01T10:00:00.500Z');
});

test('a record whose key is not its subject belongs to no stream', t => {
  t.is(deliveryOf(record('nothing', null)).subject, null);
  t.is(deliveryOf({ ...PLACE, key: null, value: null }).subject, null);
  t.is(deliveryOf(record(EVENT, null)).subject, null);
  t.is(deliveryOf(record(EVENT, 'budget-2')).subject, null);
  t.is(textOf(deliveryOf({ ...PLACE, key: 'budget-1', value: null }).value), '');
});

const WAITING: readonly (readonly [string, Uint8Array])[] = [
  ['an event', bytes(JSON.stringify(EVENT))],
  ['an unknown version', bytes(JSON.stringify({ ...EVENT, schemaversion: 9 }))],
  ['no JSON', bytes('{"id":')],
  ['a broken envelope', bytes(JSON.stringify({ ...EVENT, time: 'noon' }))],
  [
    'bytes that are no UTF-8 inside of a text',
    Buffer.from(JSON.stringify(EVENT).replace('shop', '\u00ff'), 'latin1'),
  ],
];

for (const [what, value] of WAITING) {
  test(`waiting in a queue changes nothing: ${what}`, t => {
    const arrived = deliveryOf({ ...PLACE, key: 'budget-1', value });
    // The queue stores only the text.
    const again = deliveryOf({ ...PLACE, key: 'budget-1', value: textOf(arrived.value) });
    t.is(queueEntryId(again), queueEntryId(arrived));
    t.is(again.event === null, arrived.event === null);
    t.is(again.problem === null, arrived.problem === null);
    t.is(textOf(again.value), textOf(arrived.value));
  });
}

test('different bytes that are no UTF-8 are different records', t => {
  const ids = [0xfe, 0xff].map(byte => deliveryOf({ ...PLACE, key: 'b', value: Buffer.of(byte) }));
  t.not(ids[0]?.eventId, ids[1]?.eventId);
});
