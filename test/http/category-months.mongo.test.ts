// GET /category-months
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inForm } from '../../src/store/stored-form.ts';
import { test } from '../helpers/file-test.ts';
import { account, budget, category, group, row, space } from '../model/scene.ts';
import { holdsTo } from './contract.ts';
import { useServed } from './use-served.ts';

let token: string;

const assign = (month: string, categoryId: string, amount: string) =>
  ({ type: 'envelope.assigned', data: { month, categoryId, amount } }) as const;
const carry = (month: string, categoryId: string, carriesOver: boolean) =>
  ({ type: 'envelope.carryover-set', data: { month, categoryId, carriesOver } }) as const;

const EVENTS = [
  ...[budget('s1'), account('home'), account('house', false)],
  group('needs', 'envelope', { name: 'Needs', position: 2 }),
  group('attic', 'envelope', { name: 'Attic', position: 1 }),
  { type: 'category-group.hidden', data: { groupId: 'attic' } } as const,
  group('wages', 'income', { name: 'Wages', position: 0 }),
  category('rent', 'needs', { name: 'Rent' }),
  category('food', 'needs', { name: 'Food', note: 'not shown here' }),
  category('gifts', 'needs', { name: 'Gifts', position: 5 }),
  { type: 'category.hidden', data: { categoryId: 'gifts' } } as const,
  category('box', 'attic', { name: 'Box' }),
  category('wage', 'wages', { name: 'Wage' }),
  row('t1', { date: '2024-02-10', categoryId: 'food', amount: '-100.00' }),
  row('t2', { date: '2024-01-15', categoryId: 'food', amount: '-345.00' }),
  row('t3', { date: '2024-01-31', categoryId: 'wage', amount: '2000.00' }),
  row('t4', { date: '2024-01-02', categoryId: 'box', amount: '-10.00' }),
  row('t5', { date: '9999-12-31', categoryId: 'rent', amount: '-1.00' }),
  row('t6', { accountId: 'house', date: '2024-01-20', categoryId: 'food', amount: '-50.00' }),
  ...[assign('2024-02', 'food', '300.00'), assign('2024-01', 'food', '300.00')],
  assign('2023-12', 'rent', '5.00'),
  ...[carry('2023-05', 'box', true), carry('2024-03', 'box', false)],
];

const served = useServed(test, { name: 'http_category_months' }, async () => {
  token = await served.issue('anna');
  await served.model.project('s1', ...space(['anna']));
  await served.model.project('b1', ...EVENTS);
});

const ask = (start: string, end: string, more = '') =>
  served.api(`/category-months?budget_id=b1&start_month=${start}&end_month=${end}${more}`, {
    token,
  });

/** `id assigned activity available`, and `+` where it carries over, by month. */
async function lines(start: string, end: string, more = ''): Promise<Record<string, string[]>> {
  const { status, body } = await ask(start, end, more);
  if (status !== 200) throw new Error(`Expected 200, got ${status}`);
  const found: Record<string, string[]> = {};
  for (const { month, categories } of body.months) {
    found[month] = categories.map(
      (one: Record<string, string | boolean>) =>
        `${one.categoryId} ${one.assigned} ${one.activity} ${one.available}${one.carriesOver ? ' +' : ''}`,
    );
  }
  return found;
}

test('of a budget with very many categories fewer months are answered at once', async t => {
  const categories = Array.from({ length: 6000 }, (_, index) => category(`c${index}`, 'many'));
  await served.model.project('b-many', budget('s1'), group('many', 'envelope'), ...categories);
  const range = (months: string, headers: Record<string, string> = {}) =>
    served.api(`/category-months?budget_id=b-many&start_month=2020-01&end_month=${months}`, {
      token,
      headers,
    });
  const { status, body } = await range('2024-12');
  t.is(status, 400);
  t.like(body.error, {
    param: 'end_month',
    message: 'Expected at most 50 months of a budget with so many categories, got 60',
  });
  t.is((await range('2020-02')).body.months[1].categories.length, 6000);
  const any = { 'if-none-match': '*' };
  t.is((await range('2024-12', any)).status, 400);
  const known = await range('2020-02', any);
  t.deepEqual([known.status, known.text], [304, '']);
});

test.serial('of a budget with very long names fewer months are answered at once', async t => {
  const name = '🐷'.repeat(200);
  const categories = Array.from({ length: 1500 }, (_, index) =>
    category(`c${index}`, 'long', { name }),
  );
  await served.model.project(
    'b-long',
    ...[budget('s1'), group('long', 'envelope', { name }), ...categories],
  );
  const range = '/category-months?budget_id=b-long&start_month=2020-01';
  const { status, body } = await served.api(`${range}&end_month=2024-12`, { token });
  t.is(status, 400);
  t.is(
    body.error.message,
    'Expected at most 36 months of a budget with so many categories, got 60',
  );
  const { body: answer } = await served.api(`${range}&end_month=2020-02`, { token });
  t.is(holdsTo('category-months', answer), null);
  t.is(answer.months[1].categories[1499].categoryName, name);
});

test.serial('a large answer without room is 503, and gives back what it took', async t => {
  const { answers: room } = served.bounds;
  const large = (end: string) =>
    served.api(`/category-months?budget_id=b-long&start_month=2020-01&end_month=${end}`, { token });
  const leave = room.take(room.max - 1_000_000);
  const { status, headers, body } = await large('2020-03');
  t.deepEqual([status, body.error.code], [503, 'unavailable']);
  t.truthy(headers.get('retry-after'));
  t.is((await ask('2024-01', '2024-12')).status, 200, 'a small one needs none');
  leave?.();
  const taken: number[] = [];
  const take = room.take.bind(room);
  Object.assign(room, { take: (places: number) => taken.push(places) && take(places) });
  const { status: statusNow, text } = await large('2020-03');
  t.is(statusNow, 200);
  t.true(taken.length > 0 && taken.every(bytes => bytes >= Buffer.byteLength(text)));
  while (room.taken() > 0) await nextTurn();
  Object.assign(room, { take });
  t.is((await large('2020-04')).status, 200);
});

test('GET /category-months: the envelopes of each month, oldest first', async t => {
  const { status, headers, body } = await ask('2024-01', '2024-02');
  t.is(status, 200);
  t.is(holdsTo('category-months', body), null);
  t.is(headers.get('x-projection-position'), String(EVENTS.length));
  t.deepEqual(body.months[0], {
    month: '2024-01',
    categories: [
      {
        categoryId: 'food',
        categoryName: 'Food',
        groupId: 'needs',
        groupName: 'Needs',
        hidden: false,
        assigned: '300.00',
        activity: '-345.00',
        available: '-45.00',
        carriesOver: false,
      },
      {
        categoryId: 'rent',
        categoryName: 'Rent',
        groupId: 'needs',
        groupName: 'Needs',
        hidden: false,
        assigned: '0.00',
        activity: '0.00',
        available: '5.00',
        carriesOver: false,
      },
    ],
  });
  t.deepEqual(await lines('2024-02', '2024-03'), {
    '2024-02': ['food 300.00 -100.00 200.00', 'rent 0.00 0.00 5.00'],
    '2024-03': ['food 0.00 0.00 200.00', 'rent 0.00 0.00 5.00'],
  });
});

test('include_hidden: hidden categories and those of hidden groups, in the order of /categories', async t => {
  t.deepEqual(await lines('2024-01', '2024-01', '&include_hidden=true'), {
    '2024-01': [
      'box 0.00 -10.00 -10.00 +',
      'gifts 0.00 0.00 0.00',
      'food 300.00 -345.00 -45.00',
      'rent 0.00 0.00 5.00',
    ],
  });
  const { body } = await ask('2024-01', '2024-01', '&include_hidden=true');
  t.deepEqual(
    body.months[0].categories.map(({ hidden }: { hidden: boolean }) => hidden),
    [true, true, false, false],
  );
  t.deepEqual(await lines('2024-01', '2024-01', '&include_hidden=false'), {
    '2024-01': ['food 300.00 -345.00 -45.00', 'rent 0.00 0.00 5.00'],
  });
});

test('category_id: that category alone, a hidden one too; none of other groups; 404 for none', async t => {
  t.deepEqual(await lines('2024-01', '2024-04', '&category_id=box'), {
    '2024-01': ['box 0.00 -10.00 -10.00 +'],
    '2024-02': ['box 0.00 0.00 -10.00 +'],
    '2024-03': ['box 0.00 0.00 -10.00'],
    '2024-04': ['box 0.00 0.00 0.00'],
  });
  t.deepEqual(await lines('2024-01', '2024-01', '&category_id=wage'), { '2024-01': [] });
  const absent = await ask('2024-01', '2024-01', '&category_id=nowhere');
  t.is(absent.status, 404);
  t.is(holdsTo('error', absent.body), null);
  for (const name of ['etag', 'x-projection-position']) t.is(absent.headers.get(name), null);
  t.is((await ask('2024-01', '2024-01', '&category_id=a%2Fb')).status, 400);
});

test('months before, long after and at the end of the data', async t => {
  const shown = '&category_id=rent';
  t.deepEqual(await lines('0001-01', '0001-01', shown), { '0001-01': ['rent 0.00 0.00 0.00'] });
  t.deepEqual(await lines('9000-01', '9000-02', shown), {
    '9000-01': ['rent 0.00 0.00 5.00'],
    '9000-02': ['rent 0.00 0.00 5.00'],
  });
  t.deepEqual(await lines('9999-11', '9999-12', shown), {
    '9999-11': ['rent 0.00 0.00 5.00'],
    '9999-12': ['rent 0.00 -1.00 4.00'],
  });
});

test('60 months; a longer range is refused before the category is looked for', async t => {
  const { body } = await ask('2020-01', '2024-12');
  t.is(body.months.length, 60);
  const { status, body: refused } = await ask('2020-01', '2025-01', '&category_id=nowhere');
  t.is(status, 400);
  t.is(refused.error.param, 'end_month');
});

test('documents of a later version, with further fields, give the same answer', async t => {
  const { groups, categories, categoryMonths } = served.model.store.collections;
  const { body } = await ask('2023-11', '2024-03');
  const changed = { $set: { changed: 7, 'cells.2024-01.changed': 8 } };
  for (const collection of [groups, categories]) {
    await inForm(collection).updateMany({}, { $set: { changed: 7 } });
  }
  await inForm(categoryMonths).updateMany({ id: 'food' }, changed);
  // Asked in other words, so that no kept body is served.
  t.deepEqual((await ask('2023-11', '2024-03', '&include_hidden=false')).body, body);
});
