// One endpoint of the page, part by part: what is missing leaves no trace, what is there is shown.
import test from 'ava';
import { renderEndpoint } from '../../../src/http/docs/endpoint-section.ts';
import { endpointsOf } from '../../../src/http/docs/endpoints.ts';
import type { OpenApiDocument, Operation } from '../../../src/http/docs/openapi-document.ts';
import { FACTS } from './real-page.ts';

const OPERATION: Operation = {
  deprecated: true,
  description: 'First.\n\n- one `code`\n- <two>',
  parameters: [
    { $ref: '#/components/parameters/id' },
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 9, default: 5 } },
    { name: 'search', in: 'query', schema: { type: 'string', maxLength: 200 }, example: 'x' },
    { name: 'kind', in: 'query', required: true, schema: {}, example: 'a b' },
    { name: 'step', in: 'query', schema: { type: 'string', enum: ['day', 'week'] } },
  ],
  responses: {
    200: {
      description: 'Found',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Things' },
          example: { id: 1 },
        },
        'text/csv': { schema: { type: 'string' }, example: 'id\r\n1\r\n' },
      },
    },
    404: { description: 'Not found', content: { 'text/plain': {} } },
  },
};

function rendered(operation: Operation): string {
  const components: object = {
    parameters: {
      id: { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'é' },
    },
    schemas: {
      Things: {
        description: 'All of them.',
        properties: {
          list: {
            items: {
              anyOf: [{ $ref: '#/components/schemas/Thing' }, { $ref: '#/components/schemas/tag' }],
            },
          },
        },
      },
      Thing: {
        properties: {
          tags: { items: { $ref: '#/components/schemas/tag' } },
          mode: { type: 'string', 'x-extensible-enum': ['a', 'b'] },
        },
      },
      tag: { type: ['string', 'null'] },
    },
  };
  const info = { title: 'Small', version: '1.0.0' };
  const document: OpenApiDocument = {
    info,
    servers: [{ url: '/api' }],
    paths: { '/things/{id}': { get: operation } },
    components,
  };
  const [endpoint] = endpointsOf(document);
  if (endpoint === undefined) throw new Error('Expected an endpoint');
  return renderEndpoint({ ...FACTS, document }, endpoint).html;
}

test('an endpoint that says the least makes a section, and a deprecated one is marked', t => {
  const section = rendered({ responses: {} });
  t.regex(section, /^<section id="get-things-id"/);
  t.notRegex(section, />(undefined|null)<|Parameters|<strong>Deprecated/);
  t.regex(rendered(OPERATION), /<strong>Deprecated<\/strong>/);
});

test('the request to copy has what is required, encoded, in three languages', t => {
  const section = rendered(OPERATION);
  const address = 'http://service.test/api/things/%C3%A9?limit=5&amp;kind=a%20b';
  t.is(section.split(address).length, 4);
  t.true(
    section.includes(`curl -H &quot;Authorization: Bearer $TOKEN&quot; &quot;${address}&quot;`),
  );
});

test('parameters say what they may be, those of a reference too', t => {
  const section = rendered(OPERATION);
  for (const [name, words] of [
    ['id', 'string; path, required'],
    ['limit', 'integer, 1 to 9, default 5; query'],
    ['search', 'string, 0 to 200 characters; query'],
    ['kind', 'any; query, required'],
    ['step', 'string, one of day week; query'],
  ]) {
    t.true(section.includes(`<code>${name}</code> <span class="type">${words}</span>`), name);
  }
});

test('answers show their fields where they are used, and an example in each form', t => {
  const section = rendered(OPERATION);
  t.is(section.split('Found').length, 2, 'said once, where no shape says it');
  t.regex(section, /<p class="quiet">Things: All of them\.<\/p>\s?<dl><dt><code>list<\/code>/);
  t.regex(section, /list of Thing\s+or <a href="#value-tag">tag<\/a>/);
  t.regex(section, /<code>tags<\/code> <span class="type">list of <a href="#value-tag">tag<\/a>/);
  t.regex(
    section,
    /<code>mode<\/code> <span class="type">string<\/span>.*\n.*Known values: <code>a<\/code>\s<code>b<\/code>/,
  );
  t.regex(section, /class="language-json">\{\n {2}&quot;id&quot;: 1/);
  t.regex(section, /<summary>Answer as text\/csv<\/summary>/);
  t.true(section.includes('class="language-http">id\r\n1\r\n</code>'));
});

test('texts are taken apart, and nothing of them is markup', t => {
  const section = rendered(OPERATION);
  t.true(section.includes('<p>First.</p>'));
  t.true(section.includes('<li>one <code>code</code></li>'));
  t.true(section.includes('<li>&lt;two&gt;</li>'));
});

test('a reference that leads nowhere is a mistake of the document', t => {
  t.throws(() => rendered({ responses: { 200: { $ref: '#/components/none' } } }), {
    message: /Expected #\/components\/none in the API/,
  });
});
