// How the two tables of a YNAB export are read: dates, separators, characters, and files that are none.
import test from 'ava';
import { readYnab } from '../../src/import/ynab/read-ynab.ts';
import { UserError } from '../../src/process/errors.ts';
import { edited, PLAN_LINES, planFile, registerFile } from './ynab-files.ts';

const HEADER = 'Account,Flag,Date,Payee,Memo,Outflow,Inflow,Cleared,Category Group,Category\n';

test('ambiguous dates require --date-format, which then decides', t => {
  const file = registerFile([edited(2, '03/02/2026'), edited(2, '04/02/2026')]);
  t.throws(() => readYnab(file, planFile([]), null), {
    instanceOf: UserError,
    message:
      /Register.csv: Expected --date-format DMY or MDY, got none and dates such as "03\/02\/2026", which/,
  });
  t.is(readYnab(file, planFile([]), 'DMY').rows[0]?.date, '2026-02-03');
  t.is(readYnab(file, planFile([]), 'MDY').rows[0]?.date, '2026-03-02');
});

test('a file that is not such a table is refused', t => {
  const bad = (bytes: Buffer, message: RegExp) =>
    t.throws(() => readYnab({ name: 'Register.csv', bytes }, planFile([]), null), {
      instanceOf: UserError,
      message,
    });
  bad(
    Buffer.from(''),
    /^Register.csv line 1: Expected the columns Account, .* got none named Account/,
  );
  bad(Buffer.from('Date,Payee\n'), /got none named Account, Flag, Memo/);
  bad(Buffer.from([0x41, 0xff]), /^Register.csv: Expected text in UTF-8, got other bytes/);
  bad(
    Buffer.from(`${HEADER}"a"b,c\n`),
    /^Register.csv line 2: Expected a comma or a tab after a closing quotation mark, got more text$/,
  );
  bad(Buffer.from(HEADER.replace('Flag', 'Date')), /got none named Flag/);
  bad(
    Buffer.from(`Outflow,${HEADER}`),
    /^Register.csv line 1: Expected one column named Outflow, got several$/,
  );
  bad(Buffer.from('"Account";"Flag"\n'), /line 1: Expected a comma or a tab after a closing quot/);
  bad(Buffer.from(`${HEADER}"a,c\n`), /line 2: Expected a closing quotation mark, got the end/);
  bad(Buffer.from(`${HEADER}a"b",c\n`), /line 2: Expected a quotation mark at the beginning/);
  bad(
    Buffer.from(`${HEADER}a\n`),
    /^Register.csv line 2: Expected as many cells as in the first line, got another number$/,
  );
});

test('older exports are read: tabs, Budgeted, and characters split into surrogates', t => {
  const tabbed = (file: { name: string; bytes: Buffer }) => ({
    ...file,
    bytes: Buffer.from(file.bytes.toString('latin1').replaceAll('","', '"\t"'), 'latin1'),
  });
  const halves = Buffer.from([0xed, 0xa0, 0xbe, 0xed, 0xb5, 0xa1]).toString('latin1');
  const register = tabbed(registerFile([edited(3, '🥡')]));
  const text = register.bytes
    .toString('latin1')
    .replace(Buffer.from('🥡').toString('latin1'), halves);
  const plan = planFile(PLAN_LINES);
  const budgeted = Buffer.from(plan.bytes.toString().replace('Assigned', 'Budgeted'));
  const { rows, lines } = readYnab(
    { ...register, bytes: Buffer.from(text, 'latin1') },
    tabbed({ ...plan, bytes: budgeted }),
    null,
  );
  t.is(rows[0]?.payee, '🥡');
  t.is(lines[0]?.assigned, 30000);
});
