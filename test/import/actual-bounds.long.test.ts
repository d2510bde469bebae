// A database that would take too much memory, or has bytes for text, is refused in words.
import test from 'ava';
import initSqlJs from 'sql.js';
import { planActual } from '../../src/import/actual/plan-actual.ts';
import { readDatabase } from '../../src/import/actual/read-database.ts';
import { createImportProblems } from '../../src/import/import-problems.ts';
import { UserError } from '../../src/process/errors.ts';
import { actualFiles, FINANCES } from './actual-files.ts';

/** Plans the finances after SQL that changes their database. */
async function planAfter(sql: string) {
  const { metadata } = await actualFiles(FINANCES);
  return planActual(await databaseAfter(sql), metadata, '2026-04-01');
}

async function databaseAfter(sql: string) {
  const sqlite = await initSqlJs();
  const { database } = await actualFiles(FINANCES);
  const changed = new sqlite.Database(database.bytes);
  changed.run(sql);
  const bytes = Buffer.from(changed.export());
  changed.close();
  return { name: 'db.sqlite', bytes };
}

test('a table of more than 250,000 rows is refused', async t => {
  const numbers =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250001)';
  await t.throwsAsync(planAfter(`${numbers} INSERT INTO rules (id) SELECT i FROM n`), {
    instanceOf: UserError,
    message: 'db.sqlite rules: Expected at most 250000 rows, got more',
  });
});

test('columns that nothing reads are not loaded, nor those that the database computes', async t => {
  const computed = 'GENERATED ALWAYS AS (zeroblob(500000000)) VIRTUAL';
  const plan = await planAfter(
    `ALTER TABLE transactions ADD COLUMN large ${computed};
     ALTER TABLE notes RENAME COLUMN note TO former;
     ALTER TABLE notes ADD COLUMN note ${computed}`,
  );
  t.is(plan.rows.length, (await planAfter('')).rows.length);
});

test('a long default of a column counts for each row that has it', async t => {
  const long = 'x'.repeat(100_000);
  const file = await databaseAfter(
    `ALTER TABLE payees RENAME COLUMN name TO former; ALTER TABLE payees ADD COLUMN name TEXT DEFAULT '${long}'`,
  );
  const problems = createImportProblems();
  const rows = (await readDatabase(file, problems)).payees.length;
  t.true(rows > 1);
  await t.throwsAsync(readDatabase(file, problems, 100_000), {
    instanceOf: UserError,
    message: 'db.sqlite payees: Expected at most 100000 characters of text, got more',
  });
});

test('bytes where text belongs are a problem with its place', async t => {
  await t.throwsAsync(planAfter("UPDATE payees SET name = zeroblob(9) WHERE id = 'p-market'"), {
    instanceOf: UserError,
    message:
      'db.sqlite payees: Expected name to be text or a number, got 9 bytes\nNothing was imported',
  });
});
