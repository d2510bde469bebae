// Exports that would take too much memory are refused before they are parsed, and the largest ones are taken.
import test from 'ava';
import { readYnab } from '../../src/import/ynab/read-ynab.ts';
import { parseYnabJson } from '../../src/import/ynab/ynab-json.ts';
import { UserError } from '../../src/process/errors.ts';
import { planFile } from './ynab-files.ts';
import { YNAB_JSON } from './ynab-json.ts';

const HEADER = 'Account,Flag,Date,Payee,Memo,Outflow,Inflow,Cleared,Category Group,Category\n';

const file = (text: string) => ({ name: 'budget.json', bytes: Buffer.from(text) });
const register = (text: string) => ({ name: 'Register.csv', bytes: Buffer.from(text) });

test('a table is refused before it is parsed if it would take too much memory', t => {
  const refused = (text: string, message: string) =>
    t.throws(() => readYnab(register(text), planFile([]), null), {
      instanceOf: UserError,
      message,
    });
  // 250,000 lines are taken as such: then their empty cells are no dates. Empty lines and line feeds in cells are no lines.
  const line = `${','.repeat(9)}\n`;
  const most = `${HEADER}${line.repeat(249_999)}\n\n"a\n\nb"${line}`;
  t.throws(() => readYnab(register(most), planFile([]), null), { message: /Expected a date like/ });
  const tooMany = 'Register.csv: Expected at most 250000 lines, got more';
  refused(`${most}${line}`, tooMany);
  refused('a\n'.repeat(40_000_000), tooMany);
  const tooWide = 'Register.csv: Expected at most 100 cells in a line, got more';
  refused(','.repeat(80_000_000), tooWide);
  refused(`${HEADER}${','.repeat(80_000_000)}`, tooWide);
  const tooLong = 'Register.csv line 2: Expected at most 1000000 characters in a line, got more';
  refused(`${HEADER}"${'a'.repeat(200_000_000)}"`, tooLong);
});

test('JSON is refused before it is parsed if it would take too much memory', t => {
  const refused = (text: string, message: string) =>
    t.throws(() => parseYnabJson(file(text)), { instanceOf: UserError, message });
  const groups = 'budget.json: Expected at most 1000000 objects and lists, got more';
  refused(`[${'{},'.repeat(20_000_000)}{}]`, groups);
  refused('['.repeat(20_000_000), groups);
  refused(
    `[${'0,'.repeat(20_000_000)}0]`,
    'budget.json: Expected at most 10000000 values, got more',
  );
  // Nothing in a text counts.
  const text = JSON.stringify(`${'[{,\\"'.repeat(2_000_000)}`);
  t.is(
    parseYnabJson(file(JSON.stringify(YNAB_JSON).replace('"big"', () => text))).name,
    'Household',
  );
});

test('a list has no more rows than a table', t => {
  const payee = JSON.stringify({ id: 'p', name: 'P' });
  const payees = `"payees":[${`${payee},`.repeat(250_000)}${payee}]`;
  const text = JSON.stringify({ ...YNAB_JSON, payees: undefined }).replace('{', `{${payees},`);
  t.throws(() => parseYnabJson(file(text)), {
    instanceOf: UserError,
    message:
      'budget.json: Expected budget.payees to have at most 250000 entries, got a list of 250001',
  });
});
