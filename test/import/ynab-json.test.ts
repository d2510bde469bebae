// YNAB's JSON is read within bounds, with a byte order mark or without, and every bad amount is one clear error.
import test from 'ava';
import { planYnabJson } from '../../src/import/ynab/plan-ynab-json.ts';
import { parseYnabJson } from '../../src/import/ynab/ynab-json.ts';
import { UserError } from '../../src/process/errors.ts';
import { YNAB_JSON } from './ynab-json.ts';

const file = (text: string) => ({ name: 'budget.json', bytes: Buffer.from(text) });
const planOf = (change: object) =>
  planYnabJson(parseYnabJson(file(JSON.stringify({ ...YNAB_JSON, ...change }))));
const [transaction] = YNAB_JSON.transactions;
const [account] = YNAB_JSON.accounts;

test('a byte order mark is skipped; other encodings are refused', t => {
  const text = JSON.stringify(YNAB_JSON);
  t.is(parseYnabJson(file(`\ufeff${text}`)).name, 'Household');
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  t.throws(() => parseYnabJson({ name: 'budget.json', bytes }), {
    instanceOf: UserError,
    message: 'budget.json: Expected text in UTF-8, got other bytes',
  });
});

test('amounts that no budget takes are refused', t => {
  const refused = (change: object, message: RegExp) =>
    t.throws(() => planOf(change), { instanceOf: UserError, message });
  const most =
    /^budget.json: Expected budget\.(transactions|accounts)\[0\]\.(amount|balance) to be at (most|least) -?9007199254740991, got -?1e\+300$/;
  for (const amount of [1e300, -1e300]) {
    refused({ transactions: [{ ...transaction, amount }] }, most);
    refused({ accounts: [{ ...account, balance: amount }] }, most);
  }
  const amount = 9_007_199_254_740_000;
  const transactions = Array.from({ length: 30 }, (_, at) => ({
    ...transaction,
    id: `t${at}`,
    amount,
  }));
  refused(
    { transactions },
    /^transaction t2: Expected absolute amounts that add up to at most 22517998136852.48, got more here\nNothing was imported$/,
  );
});

for (const [what, { category, amount = -100_000 }, expected] of [
  ['without a category', { category: null }, 'c-visa'],
  ['as a debt in Ready to Assign', { category: 'c-rta' }, 'c-visa'],
  ['as a credit in Ready to Assign', { category: 'c-rta', amount: 100_000 }, 'c-rta'],
  ['as a debt in an envelope', { category: 'c-food' }, 'c-food'],
] as readonly (readonly [string, { category: string | null; amount?: number }, string])[]) {
  test(`the starting balance of a card, ${what}`, t => {
    const start = { account_id: 'a-visa', payee_id: 'p-start', category_id: category, amount };
    const { rows } = planOf({ transactions: [{ ...transaction, ...start }], months: [] });
    t.deepEqual(
      rows.map(row => row.categoryId),
      [expected],
    );
  });
}

test('the payee of a transfer is none where the file names no account for it', t => {
  const { rows } = planOf({ transactions: [{ ...transaction, payee_id: 'p-visa' }] });
  t.like(rows[0], { payeeId: null, transferAccountId: null, type: 'standard' });
});

test('a transfer to a deleted account is an ordinary row, which is counted', t => {
  const gone = { ...transaction, payee_id: 'p-visa', transfer_account_id: 'a-gone' };
  const { rows, notes } = planOf({ transactions: [gone], subtransactions: [] });
  t.like(rows[0], { payeeId: null, transferAccountId: null, type: 'standard' });
  t.true(notes.includes('1 transfer to or from a deleted account: no transfer here'));
});

test('the body that calls a budget a plan is read as any other', t => {
  const inside = (body: unknown) => planYnabJson(parseYnabJson(file(JSON.stringify(body))));
  t.deepEqual(inside({ data: { plan: YNAB_JSON } }), inside({ data: { budget: YNAB_JSON } }));
});

test('a payee without a name is none', t => {
  const payees = [{ id: 'p-none', name: '', transfer_account_id: null, deleted: false }];
  const rows = [{ ...transaction, payee_id: 'p-none' }];
  const plan = planOf({ payees, transactions: rows, subtransactions: [] });
  t.deepEqual(plan.payees, []);
  t.like(plan.rows[0], { payeeId: null });
});
