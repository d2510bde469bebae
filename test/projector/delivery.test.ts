// Records on their way to their streams: what each tells, and that a record read again is the same one.
import test from 'ava';
import { deliveryOf, textOf } from '../../src/projector/fold/delivery.ts';
import { waitingId } from '../../src/projector/fold/fold.ts';
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

test('an event', t => {
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

test('an unknown type is no problem, and no event', t => {
  const delivery = deliveryOf(record({ ...EVENT, type: 'goal.set', data: 5 }));
  t.like(delivery, { event: null, problem: null, sequence: 7, eventId: 'budget-1.7' });
});

test('an invalid event tells what is well formed of it', t => {
  const delivery = deliveryOf(record({ ...EVENT, schemaversion: 2 }));
  t.like(delivery, { event: null, subject: 'budget-1', sequence: 7, eventId: 'budget-1.7' });
  t.is(delivery.time, '2024-01-01T10:00:00.500Z');
  t.is(delivery.problem, 'Expected a known schemaversion of payee.added, got 2');
});

test('what is no event gets a number and a time of its own, and its hash for an id', t => {
  const delivery = deliveryOf(record('{"sequence": "many"'));
  t.like(delivery, { subject: 'budget-1', sequence: 0, time: NO_TIME, event: null });
  t.regex(delivery.eventId, /^hash:[0-9a-f]{32}$/);
  t.is(deliveryOf({ ...record('{"sequence": "many"'), offset: 41 }).eventId, delivery.eventId);
  t.not(deliveryOf(record('{"sequence": "some"')).eventId, delivery.eventId);
});

test('of what tells no time the log tells when it was written', t => {
  const timestamp = '2026-11-20T16:00:00.123Z';
  const broken = deliveryOf({ ...record('{"sequence": "many"'), timestamp });
  t.is(broken.time, timestamp);
  t.is(deliveryOf({ ...record(EVENT), timestamp }).time, '2024-01-01T10:00:00.500Z');
});

test('a record without its subject for a key belongs to no stream', t => {
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
    const came = deliveryOf({ ...PLACE, key: 'budget-1', value });
    // The queue keeps the text alone.
    const again = deliveryOf({ ...PLACE, key: 'budget-1', value: textOf(came.value) });
    t.is(waitingId(again), waitingId(came));
    t.is(again.event === null, came.event === null);
    t.is(again.problem === null, came.problem === null);
    t.is(textOf(again.value), textOf(came.value));
  });
}

test('bytes that are no UTF-8 and differ are different records', t => {
  const ids = [0xfe, 0xff].map(byte => deliveryOf({ ...PLACE, key: 'b', value: Buffer.of(byte) }));
  t.not(ids[0]?.eventId, ids[1]?.eventId);
});
