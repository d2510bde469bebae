// The AsyncAPI document: one channel, one message for each type, and a valid example for each message.
import test from 'ava';
import { type JsonSchema, readFolder, readJson } from '../../scripts/generate/schema-files.ts';
import { createAjv } from '../../src/process/validation.ts';

interface Message {
  readonly payload: JsonSchema;
  readonly examples: readonly { readonly payload: JsonSchema }[];
}
interface Document {
  readonly asyncapi: string;
  readonly info: JsonSchema;
  readonly channels: Record<string, { address: string; messages: Record<string, JsonSchema> }>;
  readonly components: { messages: Record<string, Message>; schemas: Record<string, JsonSchema> };
}

const DOCUMENT = readJson('schemas/asyncapi.json') as unknown as Document;
const TYPES = readFolder('schemas/events').map(({ name }) => name);

test('AsyncAPI 3.0 has one channel, budgeting.events, with every message', t => {
  t.is(DOCUMENT.asyncapi, '3.0.0');
  t.is(DOCUMENT.info.version, '1.0.0');
  t.deepEqual(Object.keys(DOCUMENT.channels), ['budgeting.events']);
  const channel = DOCUMENT.channels['budgeting.events'];
  t.is(channel?.address, 'budgeting.events');
  t.deepEqual(Object.keys(channel?.messages ?? {}), TYPES);
  t.deepEqual(Object.keys(DOCUMENT.components.messages), TYPES);
});

test('every reference has a target', t => {
  const references = [...JSON.stringify(DOCUMENT).matchAll(/"\$ref":"([^"]*)"/g)];
  t.true(references.length > TYPES.length);
  for (const [, reference = ''] of references) {
    let part: unknown = DOCUMENT;
    for (const step of reference.replace('#/', '').split('/')) {
      part = (part as Record<string, unknown> | undefined)?.[step];
    }
    t.truthy(part, reference);
  }
});

const ajv = createAjv({ strict: false });
ajv.addSchema(DOCUMENT, 'asyncapi');

for (const [type, message] of Object.entries(DOCUMENT.components.messages)) {
  test(`${type}: the payload's schema accepts the example, and no other type`, t => {
    const check = ajv.getSchema(`asyncapi#/components/messages/${type}/payload`);
    const [example] = message.examples;
    t.true(check?.(example?.payload), JSON.stringify(check?.errors));
    t.false(check?.({ ...example?.payload, type: 'another.type' }));
    t.false(check?.({ ...example?.payload, sequence: 0 }));
  });
}
