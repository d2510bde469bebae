// The page of an API's description, part by part: what is missing leaves no trace, what is there is shown.
import test from 'ava';
import type { OpenApiDocument } from '../../../src/http/docs/openapi-document.ts';
import { renderPage } from '../../../src/http/docs/render-page.ts';

const PATH = '/openapi.json';

test('the least that a description can say makes a page', t => {
  const page = renderPage({ info: { title: 'Tiny', version: '2.0.0' }, paths: {} }, PATH);
  t.regex(page, /<h1>Tiny<\/h1>\s*<p>Version 2\.0\.0, below <code>\/<\/code>/);
  t.notRegex(page, /undefined|null|<h3/);
});

const DOCUMENT: OpenApiDocument = {
  info: { title: 'Small', version: '1.0.0', description: 'First.\n\n- one `code`\n- <two>' },
  servers: [{ url: '/api' }],
  paths: {
    '/things/{id}': {
      get: {
        deprecated: true,
        parameters: [
          { $ref: '#/components/parameters/id' },
          {
            name: 'limit',
            in: 'query',
            schema: { type: 'integer', minimum: 1, maximum: 9, default: 5 },
          },
          { name: 'search', in: 'query', schema: { type: 'string', maxLength: 200 } },
          { name: 'step', in: 'query', schema: { type: 'string', enum: ['day', 'week'] } },
          { name: 'odd', in: 'query', schema: {} },
        ],
        responses: {
          200: {
            description: 'Found',
            headers: { ETag: {} },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Thing' },
                example: { id: 1 },
              },
              'text/csv': { schema: { type: 'string' }, example: 'id\r\n1\r\n' },
            },
          },
          404: { description: 'Not found', content: { 'text/plain': {} } },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: { properties: { tags: { items: { $ref: '#/components/schemas/tag' } } } },
      tag: { type: ['string', 'null'], 'x-extensible-enum': ['a', 'b'] },
      Either: {
        properties: {
          list: { items: { anyOf: [{ $ref: '#/components/schemas/tag' }, { type: 'integer' }] } },
        },
      },
    },
    ...{
      parameters: { id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } } },
    },
  },
};

test('an endpoint without a summary is named by its path, and a deprecated one is marked', t => {
  const page = renderPage(DOCUMENT, PATH);
  t.true(page.includes('<li><a href="#get-things-id">/things/{id}</a></li>'));
  t.regex(page, /<strong>Deprecated<\/strong>/);
});

test('parameters say what they may be, those of a reference too', t => {
  const page = renderPage(DOCUMENT, PATH);
  for (const [name, words] of [
    ['id', 'string; path, required'],
    ['limit', 'integer, 1 to 9, default 5; query'],
    ['search', 'string, 0 to 200 characters; query'],
    ['step', 'string, one of day week; query'],
    ['odd', 'any; query'],
  ]) {
    t.true(page.includes(`<code>${name}</code> <span class="type">${words}</span>`), name);
  }
});

test('answers say their headers, their body and an example', t => {
  const page = renderPage(DOCUMENT, PATH);
  t.true(page.includes('Headers: <code>ETag</code>'));
  t.true(page.includes('Body: <a href="#schema-Thing">Thing</a>'));
  t.regex(page, /<summary>Example<\/summary><pre><code>\{\n {2}&quot;id&quot;: 1/);
  t.is(page.split('Body: ').length, 2, 'an answer without a schema has none');
});

test('a body in another form than JSON is named, and its example shown as it is', t => {
  const page = renderPage(DOCUMENT, PATH);
  t.true(page.includes('<p>Body as <code>text/csv</code></p>'));
  t.true(page.includes('<pre><code>id\r\n1\r\n</code></pre>'));
});

test('texts are taken apart, and nothing of them is markup', t => {
  const page = renderPage(DOCUMENT, PATH);
  t.true(page.includes('<p>First.</p>'));
  t.true(page.includes('<li>one <code>code</code></li>'));
  t.true(page.includes('<li>&lt;two&gt;</li>'));
});

test('shapes and values stand apart, with what is known of them', t => {
  const page = renderPage(DOCUMENT, PATH);
  t.regex(page, /<code>tags<\/code> <span class="type">list of <a href="#schema-tag">tag<\/a>/);
  t.regex(page, /list of <a href="#schema-tag">tag<\/a>\s+or integer/);
  t.regex(page, /<dt id="schema-tag"><code>tag<\/code> <span class="type">string or null/);
});

test('a reference that leads nowhere is a mistake of the description', t => {
  const paths = { '/x': { get: { responses: { 200: { $ref: '#/components/none' } } } } };
  const document = { info: { title: 'Bad', version: '1' }, paths };
  t.throws(() => renderPage(document, PATH), {
    message: /Expected #\/components\/none in the API/,
  });
});
