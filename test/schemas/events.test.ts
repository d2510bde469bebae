// Every event type has a schema and a sample; each field is required, nullable or optional, as in the catalogue.
import test from 'ava';
import { BUDGET_EVENT_TYPES, SPACE_EVENT_TYPES } from '../../schemas/generated/events.ts';
import { readFolder, readJson } from '../../scripts/generate/schema-files.ts';
import { decode } from '../../src/event-log/decode.ts';
import { judged, sample } from './judged.ts';

const CATALOGUE = `
  space.created space.renamed space.member-added space.member-removed
  budget.created budget.renamed budget.archived budget.deleted
  account.opened account.renamed account.type-changed account.moved account.closed account.reopened account.deleted
  category-group.added category-group.renamed category-group.moved category-group.hidden category-group.shown category-group.deleted
  category.added category.renamed category.noted category.hidden category.shown category.moved category.deleted
  payee.added payee.renamed payee.merged payee.deleted
  label.added label.renamed label.deleted
  transaction.entered transaction.changed transaction.deleted transaction.cleared transaction.uncleared transaction.reconciled
  envelope.assigned envelope.carryover-set month.held`
  .trim()
  .split(/\s+/);

test('docs/events.md: the schemas are those of the catalogue', t => {
  const types = readFolder('schemas/events').map(({ name }) => name);
  t.deepEqual(types, CATALOGUE.toSorted());
  t.deepEqual([...SPACE_EVENT_TYPES, ...BUDGET_EVENT_TYPES].toSorted(), CATALOGUE.toSorted());
});

for (const { name, schema } of readFolder('schemas/events')) {
  test(`${name}: the schema has title and description, and its sample is valid`, t => {
    const words = name.split(/[.-]/).map(word => word.charAt(0).toUpperCase() + word.slice(1));
    t.is(schema.title, words.join(''));
    t.true(String(schema.description).length > 10);
    const event = sample(name);
    t.is(event.type, name);
    t.is(decode(JSON.stringify(event), String(event.subject)).kind, 'event');
  });

  const whole = '$ref' in schema ? readJson('schemas/events/definitions.json').$defs : undefined;
  const shape = (whole as Record<string, typeof schema> | undefined)?.transaction ?? schema;
  const required = (shape.required ?? []) as readonly string[];

  test(`${name}: each field marked ? may be absent or null, and the others may not be absent`, t => {
    t.is(judged(name, {}), 'event');
    for (const field of Object.keys(shape.properties as object)) {
      const absent = judged(name, { [field]: undefined });
      if (required.includes(field)) {
        t.is(absent, `schema: Expected data to have ${field}, got none`);
      } else {
        t.is(absent, 'event');
        t.is(judged(name, { [field]: null }), 'event');
      }
    }
  });

  test(`${name}: unknown fields are allowed`, t => {
    t.is(judged(name, { colour: 'green' }), 'event');
  });
}

test('rules/events.md#value-grammar: the optional fields are those marked ?', t => {
  const optional = new Map<string, string[]>();
  for (const type of CATALOGUE) {
    const fields = Object.keys(sample(type).data);
    const found = fields.filter(field => judged(type, { [field]: undefined }) === 'event');
    if (found.length > 0) optional.set(type, found);
  }
  const transaction =
    'payeeId categoryId memo amountNative exchangeRate transferAccountId splitGroupId labelIds';
  t.deepEqual(Object.fromEntries(optional), {
    'account.opened': ['position'],
    'category-group.added': ['position'],
    'category.added': ['note', 'position'],
    'category.moved': ['position'],
    'transaction.entered': transaction.split(' '),
    'transaction.changed': 'payeeId categoryId memo amountNative exchangeRate labelIds'.split(' '),
  });
});

test('rules/events.md#value-grammar: fields "or null" are required and may be null', t => {
  for (const [type, field] of [
    ['space.created', 'name'],
    ['space.renamed', 'name'],
    ['budget.archived', 'successorBudgetId'],
    ['account.opened', 'currency'],
    ['category.noted', 'note'],
    ['category.deleted', 'replacementCategoryId'],
  ] as const) {
    t.is(judged(type, { [field]: null }), 'event', type);
    t.regex(judged(type, { [field]: undefined }), /^schema: Expected data to have /, type);
  }
});

test('rules/events.md#value-grammar: a required field may not be null', t => {
  for (const [type, field] of [
    ['budget.created', 'name'],
    ['account.moved', 'position'],
    ['category-group.moved', 'position'],
    ['transaction.entered', 'amount'],
    ['transaction.entered', 'cleared'],
    ['transaction.cleared', 'transactionIds'],
    ['month.held', 'amount'],
  ] as const) {
    t.regex(judged(type, { [field]: null }), /got null$/, `${type} ${field}`);
  }
});

test('docs/events.md: budget.deleted needs no data, and accepts any object, null or none', t => {
  const { data: _, ...event } = sample('budget.deleted');
  for (const data of [undefined, null, {}, { reason: 'gone' }]) {
    const decoded = decode(JSON.stringify({ ...event, data }));
    t.is(decoded.kind, 'event');
  }
  t.is(decode(JSON.stringify({ ...event, data: [] })).kind, 'invalid');
});
