// docs/api.md says what the code does.
import { readFileSync } from 'node:fs';
import test from 'ava';
import { ROUTES, SCOPES } from '../../schemas/generated/api.ts';
import { QUERY_SCHEMAS } from '../../schemas/generated/query-schemas.ts';
import { ERRORS } from '../../src/http/api-error.ts';

const page = readFileSync('docs/api.md', 'utf8');

test('docs/api.md lists exactly the error codes of the table', t => {
  const rows = page.split('\n').filter(line => /^\| [45]\d\d \|/.test(line));
  const codes = rows.flatMap(row =>
    [...(row.split('|')[2] ?? '').matchAll(/`(\w+)`/g)].map(([, code]) => code),
  );
  t.deepEqual(codes, Object.keys(ERRORS));
});

test('docs/api.md names every scope, every list and every filter', t => {
  for (const scope of SCOPES) t.true(page.includes(`\`${scope}\``), scope);
  for (const { path } of ROUTES) t.true(page.includes(path.replace('{month}', '2026-03')), path);
  const filters = Object.keys(QUERY_SCHEMAS.transactions.properties);
  for (const name of filters) t.true(page.includes(name), name);
});
