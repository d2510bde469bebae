// Decoding: the rules of the envelope, the key of a record, invalid bytes, and the salvaged parts of invalid events.
import test from 'ava';
import { readJson } from '../../scripts/generate/schema-files.ts';
import { createDecode, decode } from '../../src/event-log/decode.ts';
import { refused } from './refused.ts';

const EVENT = readJson('schemas/events/samples/transaction.entered.json');
const bytes = (text: string) => new TextEncoder().encode(text);
const changed = (change: Record<string, unknown>) => JSON.stringify({ ...EVENT, ...change });

test('decoding returns an event unchanged, from bytes and from text', t => {
  const expected = { kind: 'event', event: EVENT };
  t.deepEqual(decode(JSON.stringify(EVENT), 'budget-1') as unknown, expected);
  t.deepEqual(decode(bytes(JSON.stringify(EVENT)), 'budget-1') as unknown, expected);
  t.deepEqual(decode(Buffer.from(JSON.stringify(EVENT, null, 2))) as unknown, expected);
});

test('optional fields stay unchanged: absent is absent, null is null', t => {
  const { memo: _, ...data } = EVENT.data as Record<string, unknown>;
  const decoded = decode(changed({ data: { ...data, payeeId: null } }));
  if (decoded.kind !== 'event' || decoded.event.type !== 'transaction.entered') return t.fail();
  t.false('memo' in decoded.event.data);
  t.is(decoded.event.data.payeeId, null);
  return;
});

/** A rule of the envelope, its attribute, values that it accepts and values that it refuses. */
const RULES: [rule: string, attribute: string, taken: unknown[], refused: unknown[]][] = [
  ['specversion is 1.0', 'specversion', ['1.0'], ['0.3', '1', 1, null, undefined]],
  [
    'id is an id',
    'id',
    ['a', '0b6f3c0e-7d57-4b5f-9c2e-1f1d2b7c9a10', 'x'.repeat(128)],
    ['', 'x'.repeat(129), 'a/b', 5, null, undefined],
  ],
  [
    'source is a URI reference that is not empty',
    'source',
    ['/budgeting', 'https://example.com/a?b=c#d', 'urn:x:y', 'a%20b'],
    ['', 'a b', '<x>', 'a%2', 'é', null, undefined],
  ],
  ['subject is an id', 'subject', ['budget-9', 'x'.repeat(128)], ['', 'a b', null, 5, undefined]],
  [
    'time is RFC 3339 with any offset and any fraction',
    'time',
    [
      '2026-03-14T09:26:53Z',
      '2026-03-14T09:26:53.5Z',
      '2026-03-14T23:59:59.123456789012Z',
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999Z',
      '2024-02-29T00:00:00Z',
      '2026-03-14T09:26:53+00:00',
      '2026-03-14T09:26:53.123456-23:59',
      '2026-03-14t09:26:53z',
      '0001-01-01T01:00:00+01:00',
    ],
    [
      '2026-03-14T09:26:53',
      '2026-03-14 09:26:53Z',
      '2026-03-14T09:26:53+24:00',
      '2026-03-14T09:26:53+01:60',
      '2026-03-14T09:26:53+0100',
      '2026-03-14T09:26:53+01',
      '2026-03-14T09:26:53Z+01:00',
      '0001-01-01T00:00:00+01:00',
      '9999-12-31T23:59:59-00:01',
      '2026-03-14T09:26:53.Z',
      '2026-03-14T09:26Z',
      '2026-03-14',
      1773480413,
      undefined,
    ],
  ],
  [
    'time exists; leap seconds are refused',
    'time',
    ['2016-12-31T23:59:59Z'],
    [
      '2016-12-31T23:59:60Z',
      '2026-02-30T00:00:00Z',
      '2023-02-29T00:00:00Z',
      '2026-03-14T24:00:00Z',
      '2026-03-14T09:60:00Z',
      '2026-13-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
    ],
  ],
  [
    'sequence is an integer from 1 to 2147483647, or the same as decimal text',
    'sequence',
    [1, 2147483647, '1', '2147483647', '007'],
    [
      0,
      -1,
      1.5,
      2147483648,
      '0',
      '2147483648',
      '99999999999',
      '1.0',
      '+1',
      '-1',
      '',
      ' 1',
      '1e3',
      null,
      undefined,
    ],
  ],
  [
    'datacontenttype is application/json or absent',
    'datacontenttype',
    [
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON;charset="UTF-8"',
      null,
      undefined,
    ],
    ['text/plain', 'application/json; charset=utf-16', 'application/jsonx', '', 1],
  ],
  ['type is not empty', 'type', ['transaction.entered'], ['', '\ud800', 5, null, undefined]],
];

for (const [rule, attribute, taken, others] of RULES) {
  test(`rules/events.md#envelope: ${rule}`, t => {
    for (const value of taken) {
      t.is(decode(changed({ [attribute]: value })).kind, 'event', `${value}`);
    }
    for (const value of others) {
      t.is(refused(changed({ [attribute]: value })).problem, 'schema', `${value}`);
    }
  });
}

test('rules/events.md#schema-versions: schemaversion is an integer ≥ 1, or the same as decimal text', t => {
  for (const value of [1, '1']) t.is(decode(changed({ schemaversion: value })).kind, 'event');
  for (const value of [0, -1, 1.5, '0', 'one', null, undefined]) {
    t.is(refused(changed({ schemaversion: value })).problem, 'schema', `${value}`);
  }
});

test('rules/events.md#schema-versions: a known type with an unknown version has its own problem, whatever its data', t => {
  const { problem, reason } = refused(changed({ schemaversion: 2, data: { shape: 'new' } }));
  t.is(problem, 'version');
  t.is(reason, 'Expected a known schemaversion of transaction.entered, got 2');
});

test('attributes in another spelling are decoded to one form', t => {
  const decoded = decode(
    changed({ sequence: '32', schemaversion: '1', time: '2026-03-14t10:35:07.2503+01:00' }),
  );
  t.deepEqual(decoded as unknown, {
    kind: 'event',
    event: { ...EVENT, sequence: 32, schemaversion: 1, time: '2026-03-14T09:35:07.2503Z' },
  });
  const invalid = refused(
    changed({ specversion: '9', sequence: '32', time: '2026-03-14T10:35:07+01:00' }),
  );
  t.like(invalid, { sequence: 32, time: '2026-03-14T09:35:07Z' });
});

test('an object without attributes is refused with the names of both modes', t => {
  t.is(
    refused('{"payeeId":"p","name":"Shop"}').reason,
    'Expected a CloudEvent: structured, with its attributes in the JSON value, or on Kafka binary, with them in ce_ headers; got neither',
  );
});

test('rules/events.md#envelope: other extension attributes are allowed', t => {
  t.is(decode(changed({ traceparent: '00-ab', partitionkey: 'x' })).kind, 'event');
});

test('rules/events.md#unknown-types: an unknown type is no error, whatever its data and version', t => {
  for (const data of [undefined, null, 'text', [1], { any: true }]) {
    const decoded = decode(changed({ type: 'budget.shared', schemaversion: 9, data }));
    t.is(decoded.kind, 'unknown-type');
  }
  t.is(refused(changed({ type: 'budget.shared', sequence: 0 })).problem, 'schema');
  t.is(decode(changed({ type: 'constructor' })).kind, 'unknown-type');
});

test('rules/events.md#subject-and-key: a record whose key is not its subject belongs to no stream', t => {
  for (const key of ['budget-2', '', 'not an id', null]) {
    const stray = refused(JSON.stringify(EVENT), key);
    t.like(stray, { problem: 'stray', subject: null, sequence: null, id: null });
    const got = key === null ? 'no key' : 'another';
    t.is(stray.reason, `Expected the subject budget-1 to be the record's key, got ${got}`);
  }
  const broken = changed({ specversion: '9' });
  t.like(refused(broken, 'budget-2'), { problem: 'stray', subject: null, sequence: null });
  t.like(refused(broken, 'budget-1'), { problem: 'schema', subject: 'budget-1', sequence: 32 });
});

test('the sequence and id of a record count only if its subject is its key', t => {
  const nameless = changed({ subject: 'a b' });
  const nothing = { sequence: null, id: null };
  t.like(refused(nameless, 'budget-1'), { problem: 'schema', subject: 'budget-1', ...nothing });
  t.like(refused(nameless, null), { problem: 'schema', subject: null, ...nothing });
});

test('an invalid event keeps its well-formed attributes', t => {
  const whole = refused(changed({ specversion: '9' }));
  t.like(whole, {
    subject: 'budget-1',
    sequence: 32,
    id: 'event-36',
    time: '2026-03-14T09:35:07.250Z',
    type: 'transaction.entered',
  });
  const parts = refused(
    changed({ subject: 'a b', sequence: 'five', id: '', time: 'yesterday', type: 7 }),
  );
  t.like(parts, { subject: null, sequence: null, id: null, time: null, type: null });
  t.is(refused(changed({ subject: 'budget-1', sequence: 1e20 })).sequence, null);
});

test('numbers beyond the range of a double are refused', t => {
  const text = JSON.stringify(EVENT).replace('"exchangeRate":null', '"exchangeRate":1e400');
  t.is(refused(text).problem, 'schema');
  t.is(refused(text.replace('1e400', '1e-400')).problem, 'schema');
});

const lifting = createDecode(
  new Map([
    [
      'payee.added',
      {
        1: (data: unknown) => {
          const { payee, ...rest } = data as Record<string, unknown> & { payee: { label: string } };
          return { ...rest, name: payee.label };
        },
      },
    ],
  ]),
);
const payee = (schemaversion: number, data: unknown) =>
  JSON.stringify({ ...readJson('schemas/events/samples/payee.added.json'), schemaversion, data });

test('rules/events.md#schema-versions: an upcaster lifts an older version before the schema check', t => {
  const decoded = lifting(payee(1, { payeeId: 'p', payee: { label: 'Market' } }));
  if (decoded.kind !== 'event') return t.fail();
  t.deepEqual(decoded.event.data as unknown, { payeeId: 'p', name: 'Market' });
  t.is(lifting(payee(2, { payeeId: 'p', name: 'Market' })).kind, 'event');
  return;
});

test('an older version that lifts to invalid data, or to none, violates the schema', t => {
  for (const data of [{ payeeId: 'p', payee: { label: '' } }, { payeeId: 'p' }, null]) {
    t.like(lifting(payee(1, data)), { kind: 'invalid', problem: 'schema' });
  }
  t.like(lifting(payee(3, {})), { kind: 'invalid', problem: 'version' });
});
