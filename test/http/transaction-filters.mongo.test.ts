// GET /transactions: the filters of version 1.2, by payee, label, type and amount.
import type { Row } from '../../projections/documents.ts';
import type { TransactionEntered } from '../../schemas/generated/events.ts';
import { test } from '../helpers/file-test.ts';
import { createReadModel } from '../helpers/read-model.ts';
import { account, budget, category, group, label, payee, row, space } from '../model/scene.ts';
import { asVersion } from '../store/as-version.ts';
import { expectSame404 } from './same-404.ts';
import { useServed } from './use-served.ts';

let token: string;

const MOST = '22517998136852.48';
const entered = (id: string, amount: string, fields: Partial<TransactionEntered> = {}) =>
  row(id, { accountId: 'a1', date: '2024-01-01', amount, ...fields });
const EVENTS = [
  budget('s1'),
  ...[account('a1'), account('a2', false), group('g1'), category('c1', 'g1')],
  ...[payee('p1'), payee('p2'), payee('p3'), payee('gone'), label('l1'), label('l2'), label('l3')],
  entered('t1', '-100.00', { payeeId: 'p1', labelIds: ['l1', 'l2'], categoryId: 'c1' }),
  entered('t2', '-12.30', { payeeId: 'p2', labelIds: ['l2'], date: '2024-02-01', memo: 'bread' }),
  entered('t3', '-0.01', { payeeId: 'p1', type: 'reconciliation' }),
  entered('t4', '0.00', { payeeId: 'gone', labelIds: ['l1'] }),
  entered('t5', '0.01', { type: 'startingBalance', accountId: 'a2' }),
  entered('t6', '9.00', { type: 'transfer', transferAccountId: 'a2' }),
  entered('t7', '10.00', { date: '2024-03-01', memo: 'bread' }),
  { type: 'payee.merged', data: { payeeId: 'gone', intoPayeeId: 'p2' } },
] as const;

const served = useServed(test, { name: 'http_transaction_filters' }, async () => {
  token = await served.issue('anna');
  const { project } = served.model;
  await project('s1', ...space(['anna']));
  await project('b1', ...EVENTS);
  await project('b2', budget('s1'), payee('elsewhere'), account('a1'), entered('big', `-${MOST}`));
});

const list = (query: string, budgetId = 'b1') =>
  served.api(`/transactions?budget_id=${budgetId}${query}`, { token });
const idsOf = async (query: string, budgetId?: string): Promise<string> => {
  const { status, body } = await list(query, budgetId);
  if (status !== 200) throw new Error(`Expected 200, got ${status}: ${JSON.stringify(body)}`);
  return body.transactions.map(({ id }: Row) => id).join(' ');
};

const FILTERS: [query: string, expected: string][] = [
  ['payee_id=p1', 't3 t1'],
  ['payee_id=p2', 't2 t4'],
  ['payee_id=p3', ''],
  ['label_id=l1', 't4 t1'],
  ['label_id=l2', 't2 t1'],
  ['label_id=l3', ''],
  ['payee_id=p1&label_id=l2', 't1'],
  ['payee_id=p2&label_id=l2&search=bread', 't2'],
  ['type=standard', 't7 t2 t4 t1'],
  ['type=transfer', 't6'],
  ['type=startingBalance', 't5'],
  ['type=reconciliation', 't3'],
  ['type=reconciliation&payee_id=p2', ''],
  ['min_amount=-0.01', 't7 t6 t5 t4 t3'],
  ['max_amount=-0.01', 't2 t3 t1'],
  ['min_amount=-100.00&max_amount=-12.30', 't2 t1'],
  ['min_amount=0.00&max_amount=0.00', 't4'],
  ['min_amount=9.00&max_amount=10.00', 't7 t6'],
  ['min_amount=9.01&max_amount=9.99', ''],
  ['min_amount=0.00&end_date=2024-02-29', 't6 t5 t4'],
  ['max_amount=10.00&start_date=2024-02-01&search=bread', 't7 t2'],
  ['min_amount=-12.30&account_id=a1&uncategorized=true', 't7 t2 t6 t4 t3'],
  [`min_amount=-${MOST}&max_amount=${MOST}&limit=2&offset=1`, 't2 t6'],
];

for (const [query, expected] of FILTERS) {
  test(`Filter: ${query}`, async t => {
    t.is(await idsOf(`&${query}`), expected);
  });
}

test('The largest amount is found by itself, and not by one hundredth more', async t => {
  t.is(await idsOf(`&max_amount=-${MOST}`, 'b2'), 'big');
  t.is(await idsOf(`&min_amount=-${MOST}&max_amount=-${MOST}`, 'b2'), 'big');
  t.is(await idsOf('&min_amount=-22517998136852.47', 'b2'), '');
});

test('Labels of a row come whole, whichever of them is asked for', async t => {
  const { body } = await list('&label_id=l2&payee_id=p1');
  t.deepEqual(
    body.transactions[0].labels.map(({ id }: { id: string }) => id),
    ['l1', 'l2'],
  );
});

test('CSV takes the same filters', async t => {
  const headers = { accept: 'text/csv' };
  const path = '/transactions?budget_id=b1&payee_id=p2&max_amount=-1.00';
  const { status, text } = await served.api(path, { token, headers });
  t.is(status, 200);
  t.deepEqual(
    text.split('\r\n').map(line => line.split(',')[0]),
    ['id', 't2', ''],
  );
});

test('404: an id that the budget does not hold, one merged away, one of another kind', async t => {
  const absent = await list('&account_id=nowhere');
  for (const query of [
    ...['payee_id=nowhere', 'payee_id=gone', 'payee_id=l1', 'payee_id=elsewhere', 'payee_id=null'],
    ...['label_id=nowhere', 'label_id=p1', 'payee_id=p1&label_id=x', 'label_id=x&type=transfer'],
  ]) {
    expectSame404(t, absent, [query, await list(`&${query}`)]);
  }
});

test('400 names the parameter, before 404', async t => {
  for (const [query, params] of [
    ['type=other', 'type'],
    ['min_amount=007.00', 'min_amount'],
    ['max_amount=1', 'max_amount'],
    ['min_amount=-0.00', 'min_amount'],
    ['min_amount=%2B1.00', 'min_amount'],
    ['min_amount=22517998136852.49', 'min_amount'],
    ['min_amount=2.00&max_amount=1.99', 'max_amount'],
    ['max_amount=-12.30&payee_id=nowhere&min_amount=-12.29', 'max_amount'],
    ['payee_id=&label_id=a%2Fb', 'payee_id label_id'],
  ] as const) {
    const { status, body } = await list(`&${query}`);
    t.is(status, 400, query);
    const found = body.error.details.map(({ param }: { param: string }) => param);
    t.is(found.join(' '), params, query);
  }
});

test('A row that changes its amount, type, payee or labels moves to the other filters', async t => {
  const changed = (fields: Partial<TransactionEntered>) => ({
    type: 'transaction.changed',
    data: { ...row('t1', { accountId: 'a1', date: '2024-01-01', ...fields }).data },
  });
  await served.model.project('b3', budget('s1'), account('a1'), payee('p1'), label('l1'));
  const added = entered('t1', '5.00', { type: 'reconciliation', payeeId: 'p1', labelIds: ['l1'] });
  const queries = ['type=reconciliation', 'min_amount=5.00', 'payee_id=p1', 'label_id=l1'];
  const others = ['type=standard', 'max_amount=-7.00'];
  const found = () => Promise.all([...queries, ...others].map(query => idsOf(`&${query}`, 'b3')));
  await served.model.project('b3', added);
  t.deepEqual(await found(), ['t1', 't1', 't1', 't1', '', '']);
  await served.model.project('b3', changed({ amount: '-7.00' }) as typeof added);
  t.deepEqual(await found(), ['', '', '', '', 't1', 't1']);
});

test.serial(
  'While the service is upgraded from version 4, new filters are 503, the others answer',
  async t => {
    const before = await createReadModel(served.db, 4);
    await before.project('s1', ...space(['anna']));
    await before.project('b1', ...EVENTS);
    await asVersion(4, before.store.collections);
    await before.activate();
    t.teardown(() => served.model.activate());
    for (const query of ['type=transfer', 'label_id=l1', 'min_amount=0.00', 'max_amount=0.00']) {
      const { status, headers, body } = await list(`&${query}`);
      t.is(status, 503, query);
      t.truthy(headers.get('retry-after'));
      t.is(body.error.code, 'unavailable');
    }
    t.is((await list('&label_id=nowhere')).status, 404);
    t.is(await idsOf('&payee_id=p1'), 't3 t1');
    const { body } = await served.api('/transactions/t3?budget_id=b1', { token });
    t.is(body.amount, '-0.01');
  },
);
