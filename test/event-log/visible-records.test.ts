// CloudEvents in binary mode become structured ones.
import test from 'ava';
import { readJson } from '../../scripts/generate/schema-files.ts';
import { decode } from '../../src/event-log/decode.ts';
import { type Headers, structuredValue } from '../../src/event-log/kafka/visible-records.ts';

const EVENT = readJson('schemas/events/samples/payee.added.json');
const { data, datacontenttype: _, ...attributes } = EVENT;
const VALUE = Buffer.from(JSON.stringify(data));

function headersOf(more: Record<string, string | Buffer> = {}): Headers {
  const named = Object.entries(attributes).map(([name, value]) => [`ce_${name}`, String(value)]);
  const all = { ...Object.fromEntries(named), 'content-type': 'application/json', ...more };
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, Buffer.from(value as string)]),
  );
}

function decoded(value: Buffer | null, headers: Headers) {
  return decode(structuredValue(value, headers), String(attributes.subject));
}

test('attributes in headers and data in the value make the same event', t => {
  const expected = {
    kind: 'event',
    event: { ...attributes, datacontenttype: 'application/json', data },
  };
  t.deepEqual(decoded(VALUE, headersOf()) as unknown, expected);
  const pretty = Buffer.from(JSON.stringify(data, null, 2));
  t.deepEqual(decoded(pretty, headersOf({ traceparent: '00' })) as unknown, expected);
  const charset = 'application/json; charset=utf-8';
  t.like(decoded(VALUE, headersOf({ 'content-type': charset })), { kind: 'event' });
  const { 'content-type': _type, ...without } = headersOf();
  t.like(decoded(VALUE, without), { kind: 'event' });
});

test('without ce_ headers, or with the content type of structured mode, the value is left alone', t => {
  const value = Buffer.from(JSON.stringify(EVENT));
  t.is(structuredValue(value, undefined), value);
  t.is(structuredValue(value, { other: Buffer.from('x') }), value);
  for (const type of [
    'application/cloudevents+json',
    'application/cloudevents+json; charset=UTF-8',
  ]) {
    t.is(structuredValue(value, headersOf({ 'content-type': type })), value);
  }
  t.is(structuredValue(null, {}), null);
});

test('data that is no JSON is named', t => {
  const reason = (value: Buffer) => {
    const invalid = decoded(value, headersOf());
    return invalid.kind === 'invalid' ? invalid.reason : invalid.kind;
  };
  const start = 'Expected data_base64 to hold JSON in UTF-8, got';
  t.is(reason(Buffer.from('oops')), `${start} text that is no JSON`);
  t.is(
    reason(Buffer.from([0, 0, 0, 0, 7, 0x7b, 0x7d])),
    `${start} bytes of a schema registry's serializer (schema 7): write JSON without it`,
  );
  // Data cannot add or replace attributes.
  t.is(reason(Buffer.from('{},"subject":"budget-2"')), `${start} text that is no JSON`);
});

test('a value without data is an event without data', t => {
  const headers = headersOf({ ce_type: 'budget.deleted' });
  for (const value of [null, Buffer.alloc(0)]) t.like(decoded(value, headers), { kind: 'event' });
});

test('headers that make no attribute are refused as such', t => {
  t.like(decoded(VALUE, headersOf({ ce_id: Buffer.from([0xff]) })), {
    kind: 'invalid',
    reason: 'Expected id to be text, got null',
  });
  t.like(decoded(VALUE, { ...headersOf(), ce_id: [Buffer.from('a'), Buffer.from('b')] }), {
    reason: 'Expected id to be text, got a list of 2',
  });
  const { ce_specversion: _version, ...without } = headersOf();
  t.like(decoded(VALUE, without), {
    ...{ kind: 'invalid', problem: 'schema' },
    reason: 'Expected the input to have specversion, got none',
  });
  t.like(decoded(VALUE, headersOf({ ce_data: '{"payeeId":"x"}' })), { kind: 'event' });
});

test('headers of data alone are no attributes', t => {
  for (const name of ['ce_data', 'ce_data_base64']) {
    const { kind, problem, reason } = {
      reason: '',
      problem: '',
      ...decoded(VALUE, { [name]: Buffer.from('e30=') }),
    };
    t.deepEqual({ kind, problem }, { kind: 'invalid', problem: 'schema' });
    t.regex(reason, /got neither$/);
  }
});

test('a content type that is no text is not JSON', t => {
  const type = Buffer.from([0xff, 0xfe]);
  t.like(decoded(VALUE, headersOf({ 'content-type': type })), {
    ...{ kind: 'invalid', problem: 'schema' },
    reason:
      'Expected datacontenttype to be application/json, with or without charset=utf-8, got "ÿþ"',
  });
  // A header without a value says nothing.
  t.like(decoded(VALUE, { ...headersOf(), 'content-type': null }), { kind: 'event' });
});
