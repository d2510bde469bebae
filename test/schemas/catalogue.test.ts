// docs/events.md agrees with the schemas: the same types and fields, and the samples as examples.
import { readFileSync } from 'node:fs';
import test from 'ava';
import { readFolder, readJson, resolveReferences } from '../../scripts/generate/schema-files.ts';

const TEXT = readFileSync('docs/events.md', 'utf8');
const ROWS = new Map(
  [...TEXT.matchAll(/^\| `([a-z-]+\.[a-z-]+)` \| (.*) \| (.*) \| `(.*)` \|$/gm)].map(row => [
    row[1],
    { description: row[2], fields: row[3], example: row[4] },
  ]),
);

test('docs/events.md lists exactly the event types', t => {
  t.deepEqual(
    [...ROWS.keys()].sort(),
    readFolder('schemas/events').map(({ name }) => name),
  );
});

for (const file of readFolder('schemas/events')) {
  test(`docs/events.md describes ${file.name} as its schema does`, t => {
    const schema = resolveReferences(file.schema, file.path);
    const required = (schema.required ?? []) as readonly string[];
    const fields = Object.keys(schema.properties as object).map(
      field => `\`${field}${required.includes(field) ? '' : '?'}\``,
    );
    const row = ROWS.get(file.name);
    t.is(row?.description, String(schema.description));
    t.is(row?.fields, fields.join(', ') || '—');
    const { data } = readJson(`schemas/events/samples/${file.name}.json`);
    t.deepEqual(JSON.parse(row?.example ?? 'null'), data);
  });
}

test('docs/events.md lists the values of the enumerations', t => {
  const definitions = readJson('schemas/events/definitions.json').$defs as Record<
    string,
    { enum?: string[] }
  >;
  for (const name of ['accountType', 'transactionType', 'budgetMode']) {
    for (const value of definitions[name]?.enum ?? []) t.true(TEXT.includes(`\`${value}\``), value);
  }
});

test('the event at the top of docs/events.md is part of its sample', t => {
  const shown = JSON.parse(/```json\n([\s\S]*?)```/.exec(TEXT)?.[1] ?? 'null');
  t.like(readJson('schemas/events/samples/transaction.entered.json'), shown);
});
