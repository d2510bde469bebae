// Errors of AJV become sentences: the path, what was expected, what it got.
import test from 'ava';
import { createAjv, describeErrors } from '../../src/process/validation.ts';

function messageFor(schema: object, value: unknown, root = 'data'): string {
  const check = createAjv().compile(schema);
  return check(value) ? 'fine' : describeErrors(check.errors, { root });
}

const SENTENCES: [schema: object, value: unknown, sentence: string][] = [
  [{ type: 'string' }, 5, 'Expected data to be text, got 5'],
  [{ type: ['integer', 'null'] }, 'x', 'Expected data to be an integer or null, got "x"'],
  [{ type: 'boolean' }, [1, 2], 'Expected data to be true or false, got a list of 2'],
  [{ type: 'array' }, {}, 'Expected data to be a list, got an object'],
  [{ const: true }, false, 'Expected data to be true, got false'],
  [{ enum: ['a', null] }, 'b', 'Expected data to be one of a, null, got "b"'],
  [{ enum: ['a'] }, 'b', 'Expected data to be a, got "b"'],
  [{ type: 'string', minLength: 1 }, '', 'Expected data to have at least 1 character, got 0'],
  [{ type: 'string', maxLength: 2 }, 'a😀b', 'Expected data to have at most 2 characters, got 3'],
  [{ type: 'array', minItems: 1 }, [], 'Expected data to have at least 1 entry, got a list of 0'],
  [
    { type: 'array', maxItems: 2 },
    [1, 2, 3],
    'Expected data to have at most 2 entries, got a list of 3',
  ],
  [
    { type: 'array', uniqueItems: true },
    ['a', 'b', 'a'],
    'Expected data to name nothing twice, got the same at [0] and [2]',
  ],
  [
    { type: 'array', items: { type: 'string' }, uniqueItems: true },
    ['a', 'b', 'a'],
    'Expected data to name nothing twice, got the same at [0] and [2]',
  ],
  [{ type: 'integer', minimum: 1 }, 0, 'Expected data to be at least 1, got 0'],
  [{ type: 'integer', maximum: 1000 }, 5000, 'Expected data to be at most 1000, got 5000'],
  [{ type: 'number', exclusiveMinimum: 0 }, 0, 'Expected data to be above 0, got 0'],
  [{ type: 'string', pattern: '^a$' }, 'b', 'Expected data to be text like ^a$, got "b"'],
  [
    { type: 'string', format: 'calendar-month' },
    '2024-13',
    'Expected data to be a month, YYYY-MM from 0001-01 to 9999-12, got "2024-13"',
  ],
  [
    { type: 'string', pattern: '^[a-z]+$', format: 'id' },
    'a b',
    'Expected data to be an id of 1 to 128 characters from A–Z a–z 0–9 _ - . : ~, got "a b"',
  ],
  [
    { type: 'string', format: 'text' },
    'private \ud800',
    'Expected data to be well-formed Unicode text, got half of a surrogate pair',
  ],
];

for (const [schema, value, sentence] of SENTENCES) {
  test(`${JSON.stringify(schema)} and ${JSON.stringify(value)}`, t => {
    t.is(messageFor(schema, value), sentence);
  });
}

test('messages name the path of a missing, an unknown and a deep property', t => {
  const items = { type: 'array', items: { type: 'string' } };
  const properties = { a: items, 'b/c': items };
  const schema = { type: 'object', properties, required: ['a'], additionalProperties: false };
  t.is(messageFor(schema, {}), 'Expected data to have a, got none');
  t.is(messageFor(schema, { a: [], z: 1 }), 'Expected data to have known properties only, got "z"');
  t.is(messageFor(schema, { a: ['x', 2] }), 'Expected data.a[1] to be text, got 2');
  t.is(messageFor(schema, { a: [], 'b/c': 1 }), 'Expected data.b/c to be a list, got 1');
  t.is(messageFor(schema, { a: 1 }, ''), 'Expected a to be a list, got 1');
  t.is(messageFor(schema, 1, ''), 'Expected the input to be an object, got 1');
});

test('messages cut long values and count long choices', t => {
  const long = messageFor({ type: 'integer' }, 'x'.repeat(5000));
  t.is(long, `Expected data to be an integer, got "${'x'.repeat(40)}" and more`);
  const values = Array.from({ length: 16 }, (_, index) => `v${index}`);
  t.is(messageFor({ enum: values }, 'w'), 'Expected data to be one of 16 known values, got "w"');
});

test('a schema with an unknown keyword or format is refused, so typing errors fail', t => {
  t.throws(() => createAjv().compile({ type: 'string', maximumLength: 5 }));
  t.throws(() => createAjv().compile({ type: 'string', format: 'calender-date' }));
});
