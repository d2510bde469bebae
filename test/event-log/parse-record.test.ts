// Values that are no event, named as what they are; data in base64.
import test from 'ava';
import { readJson } from '../../scripts/generate/schema-files.ts';
import { decode } from '../../src/event-log/decode.ts';
import { textOf } from '../../src/projector/fold/delivery.ts';
import { refused } from './refused.ts';

const EVENT = readJson('schemas/events/samples/transaction.entered.json');
const bytes = (text: string) => new TextEncoder().encode(text);
const changed = (change: Record<string, unknown>) => JSON.stringify({ ...EVENT, ...change });

test('data_base64 holds the same JSON', t => {
  const { data, ...rest } = EVENT;
  const inBase64 = (content: string | Uint8Array) =>
    JSON.stringify({ ...rest, data_base64: Buffer.from(content as string).toString('base64') });
  t.deepEqual(decode(inBase64(JSON.stringify(data))) as unknown, { kind: 'event', event: EVENT });
  const both = JSON.stringify({ ...EVENT, data_base64: 'e30=' });
  t.is(refused(both).reason, 'Expected data or data_base64, got both');
  const text = JSON.stringify({ ...rest, data_base64: 'e30' });
  t.is(refused(text).reason, 'Expected data_base64 to be base64, got other text');
  t.is(
    refused(inBase64('no json')).reason,
    'Expected data_base64 to hold JSON in UTF-8, got text that is no JSON',
  );
  t.is(
    refused(inBase64(new Uint8Array([0xff, 0x80]))).reason,
    'Expected data_base64 to hold JSON in UTF-8, got bytes that are no UTF-8',
  );
  t.is(refused(inBase64('null')).reason, 'Expected data to have transactionId, got none');
});

const UNDECODABLE: [what: string, value: Uint8Array | string | null][] = [
  ['no value', null],
  ['nothing', ''],
  ['broken JSON', '{"specversion":'],
  ['two values', '{}{}'],
  ['a byte order mark', `\ufeff${JSON.stringify(EVENT)}`],
  ['a byte order mark in bytes', bytes(`\ufeff${JSON.stringify(EVENT)}`)],
  ['an array', '[]'],
  ['null', 'null'],
  ['text', '"event"'],
  ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ['a surrogate in UTF-8', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
];

for (const [what, value] of UNDECODABLE) {
  test(`undecodable: ${what}`, t => {
    const nothing = { sequence: null, id: null, time: null, type: null };
    const { kind, problem, reason, ...rest } = refused(value, 'budget-1');
    t.deepEqual([kind, problem], ['invalid', 'undecodable']);
    t.regex(reason, /^Expected an event/);
    t.deepEqual(rest, { subject: 'budget-1', ...nothing });
    t.is(refused(value, null).subject, null);
  });
}

const MISTAKES: [got: string, value: Uint8Array][] = [
  ['text with a byte order mark: write UTF-8 without it', bytes('\ufeff{}')],
  ['text in UTF-16: write UTF-8', Buffer.from('\ufeff{}', 'utf16le')],
  ['text in UTF-16: write UTF-8', Buffer.from('{}', 'utf16le')],
  ['text in UTF-16: write UTF-8', Buffer.from('\ufeff{}', 'utf16le').swap16()],
  ['text in UTF-16: write UTF-8', Buffer.from('{}', 'utf16le').swap16()],
  ['an Avro file: write JSON', bytes('Obj\u0001avro.schema')],
  [
    "bytes of a schema registry's serializer (schema 258): write JSON without it",
    new Uint8Array([0, 0, 0, 1, 2, 0x7b, 0x7d]),
  ],
  [
    "bytes of a schema registry's serializer (schema 258): write JSON without it",
    new Uint8Array([0, 0, 0, 1, 2, 0xff]),
  ],
  ['text that is no JSON', bytes('oops!')],
  ['bytes that are no UTF-8', new Uint8Array([0xff, 0x7b])],
];

for (const [index, [got, value]] of MISTAKES.entries()) {
  test(`undecodable value ${index + 1}: ${got}`, t => {
    const reason = `Expected an event as JSON in UTF-8, got ${got}`;
    t.is(refused(value).reason, reason);
    // As a queue keeps it.
    t.is(refused(textOf(value)).reason, reason);
  });
}

test('a batch of events in one record is named', t => {
  t.is(
    refused(JSON.stringify([EVENT])).reason,
    'Expected an event as a JSON object, got a JSON list: write each event of a batch as a record of its own',
  );
});

test('a reason never repeats the text of a broken record', t => {
  t.notRegex(refused('{"memo": "my secret" oops').reason, /secret/);
  t.notRegex(
    refused(changed({ data: { ...(EVENT.data as object), memo: 'my secret \ud800' } })).reason,
    /secret/,
  );
});
