// Foreign linters of OpenAPI find nothing in the description but what lint-exceptions.ts names.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { fetchedFor, fetchedTest } from '../helpers/fetched.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { EXCEPTIONS } from './lint-exceptions.ts';
import { type Finding, installLinters } from './lint-openapi.ts';

const DOCUMENT = join(process.cwd(), 'schemas', 'openapi.json');

const linters = await fetchedFor('the linters of openapi.json', installLinters);
const linterTest = fetchedTest(test, linters);

for (const name of ['redocly', 'spectral'] as const) {
  linterTest(`${name} finds nothing but exceptions, each of which it still needs`, async t => {
    const findings = await linters?.[name](DOCUMENT, await temporaryFolder(t));
    const exceptions = EXCEPTIONS[name];
    const isMet = (finding: Finding) =>
      exceptions.filter(({ rule, at }) => rule === finding.rule && at.test(finding.at));
    const met = new Set(findings?.flatMap(isMet));
    t.deepEqual(
      findings?.filter(finding => isMet(finding).length === 0),
      [],
    );
    t.deepEqual(
      exceptions.filter(exception => !met.has(exception)),
      [],
    );
  });
}

linterTest('a fault is found: two operations of one id', async t => {
  const folder = await temporaryFolder(t);
  const faulty = join(folder, 'openapi.json');
  const text = await readFile(DOCUMENT, 'utf8');
  await writeFile(faulty, text.replace('"listAccounts"', '"listBudgets"'));
  const findings = [
    await linters?.redocly(faulty, folder),
    await linters?.spectral(faulty, folder),
  ];
  for (const found of findings) {
    t.true(found?.some(({ rule }) => /^operation-operationId-unique$/.test(rule)));
  }
});

test('each exception has a reason', t => {
  for (const { rule, reason } of Object.values(EXCEPTIONS).flat()) t.true(reason.length > 20, rule);
});
