// Generates the AsyncAPI 3.0 document: one channel, and one message with a sample for each event type.
import {
  type JsonSchema,
  readFolder,
  readJson,
  resolveReferences,
  type SchemaFile,
} from './schema-files.ts';

const CHANNEL = 'budgeting.events';

const INFO = {
  title: 'Budgeting events',
  version: '1.0.0',
  description:
    'What the write side publishes and the read model is made of: CloudEvents 1.0 in structured JSON, or in binary mode with the attributes in ce_ headers. The key of a message is its subject, the stream; order holds within a stream only, by its sequence 1, 2, 3 … without gaps. The topic is kept forever. Unknown types are ignored and counted.',
  license: { name: 'Apache-2.0' },
};

/** Returns the text of `schemas/asyncapi.json`. */
export function asyncapi(): string {
  const files = readFolder('schemas/events');
  const references = (to: string) =>
    Object.fromEntries(files.map(({ name }) => [name, { $ref: `${to}/${name}` }]));
  const document = {
    asyncapi: '3.0.0',
    info: INFO,
    defaultContentType: 'application/cloudevents+json',
    channels: {
      [CHANNEL]: {
        address: CHANNEL,
        description: 'The one topic; its name can be configured.',
        messages: references('#/components/messages'),
        bindings: {
          kafka: {
            topic: CHANNEL,
            topicConfiguration: { 'cleanup.policy': ['delete'], 'retention.ms': -1 },
            bindingVersion: '0.5.0',
          },
        },
      },
    },
    operations: {
      applyEvents: {
        action: 'receive',
        channel: { $ref: `#/channels/${CHANNEL}` },
        summary: 'Every event is applied to the read model once, in the order of its stream.',
      },
    },
    components: {
      messages: Object.fromEntries(files.map(file => [file.name, message(file)])),
      schemas: schemas(files),
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function message({ name, schema }: SchemaFile): JsonSchema {
  return {
    name,
    title: schema.title,
    summary: schema.description,
    contentType: 'application/cloudevents+json',
    payload: {
      allOf: [
        { $ref: '#/components/schemas/Envelope' },
        {
          type: 'object',
          properties: {
            type: { const: name },
            data: { $ref: `#/components/schemas/${schema.title}` },
          },
        },
      ],
    },
    bindings: {
      kafka: { key: { type: 'string', description: 'The subject.' }, bindingVersion: '0.5.0' },
    },
    examples: [{ name, payload: readJson(`schemas/events/samples/${name}.json`) }],
  };
}

/** Resolves the references within schemas, because AsyncAPI allows no keywords beside a reference. */
function schemas(files: readonly SchemaFile[]): JsonSchema {
  const path = 'schemas/envelope.json';
  const all = [{ name: 'envelope', path, schema: readJson(path) }, ...files];
  return Object.fromEntries(
    all.map(file => [file.schema.title, resolveReferences(file.schema, file.path)]),
  );
}
