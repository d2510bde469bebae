// GET /categories
import { test } from '../helpers/file-test.ts';
import { budget, category, group, space } from '../model/scene.ts';
import { holdsTo } from './contract.ts';
import { useServed } from './use-served.ts';

let token: string;

const served = useServed(test, { name: 'http_categories' }, async () => {
  token = await served.issue('anna');
  const { project } = served.model;
  await project('s1', ...space(['anna']));
  await project(
    'b1',
    budget('s1'),
    group('g1', 'envelope', { name: 'Living', position: 1 }),
    group('g2', 'envelope', { name: 'Hidden', position: 0 }),
    group('g3', 'income', { name: 'Income' }),
    group('g4', 'envelope', { name: 'empty', position: 1 }),
    category('c1', 'g1', { name: 'Rent', position: 2, note: 'monthly' }),
    category('c2', 'g1', { name: 'Food', position: 1 }),
    category('c3', 'g1', { name: 'Old' }),
    category('c4', 'g2', { name: 'In hidden' }),
    category('c5', 'g3', { name: 'Salary' }),
    { type: 'category-group.hidden', data: { groupId: 'g2' } },
    { type: 'category.hidden', data: { categoryId: 'c3' } },
  );
});

interface Group {
  readonly id: string;
  readonly categories: readonly { readonly id: string }[];
}

const outline = (body: { categoryGroups: Group[] }) =>
  body.categoryGroups.map(({ id, categories }) => [id, ...categories.map(one => one.id)]);
const list = (query = '') => served.api(`/categories?budget_id=b1${query}`, { token });

test('GET /categories: position (entries without one last), then name key, then id', async t => {
  const { status, body } = await list('&include_hidden=true');
  t.is(status, 200);
  t.is(holdsTo('categories', body), null);
  t.deepEqual(outline(body), [['g2', 'c4'], ['g4'], ['g1', 'c2', 'c1', 'c3'], ['g3', 'c5']]);
  t.deepEqual(body.pagination, { limit: 500, offset: 0, has_more: false });
});

test('include_hidden is false by default: hidden groups are left out with their categories, empty visible groups stay', async t => {
  const expected = [['g4'], ['g1', 'c2', 'c1'], ['g3', 'c5']];
  t.deepEqual(outline((await list()).body), expected);
  t.deepEqual(outline((await list('&include_hidden=false')).body), expected);
});

test('CategoryGroup and its entries: the full Category shape', async t => {
  const { body } = await list('&include_hidden=true');
  t.deepEqual(body.categoryGroups[2], {
    id: 'g1',
    name: 'Living',
    hidden: false,
    budgetMode: 'envelope',
    categories: [
      { id: 'c2', groupId: 'g1', name: 'Food', hidden: false, note: null },
      { id: 'c1', groupId: 'g1', name: 'Rent', hidden: false, note: 'monthly' },
      { id: 'c3', groupId: 'g1', name: 'Old', hidden: true, note: null },
    ],
  });
});

test('limit on /categories counts groups; a group is never cut', async t => {
  const first = await list('&limit=2');
  t.deepEqual(outline(first.body), [['g4'], ['g1', 'c2', 'c1']]);
  t.deepEqual(first.body.pagination, { limit: 2, offset: 0, has_more: true });
  const second = await list('&limit=2&offset=2');
  t.deepEqual(outline(second.body), [['g3', 'c5']]);
  t.false(second.body.pagination.has_more);
  t.deepEqual(outline((await list('&offset=2147483647')).body), []);
});

test('name selects categories: a group comes with its matching ones, one without any is left out', async t => {
  const named = async (name: string, more = '') =>
    outline((await list(`&name=${encodeURIComponent(name)}${more}`)).body);
  t.deepEqual(await named('FOOD'), [['g1', 'c2']]);
  t.deepEqual(await named('Old'), []);
  t.deepEqual(await named('Old', '&include_hidden=true'), [['g1', 'c3']]);
  t.deepEqual(await named('in hidden', '&include_hidden=true'), [['g2', 'c4']]);
  for (const other of ['Living', 'empty', 'g1', 'Foo']) t.deepEqual(await named(other), []);
});

test('limit and offset count the groups that the name leaves', async t => {
  const { project } = served.model;
  const groups = ['x1', 'x2', 'x3'].map(id => group(id));
  const named = ['x1', 'x3'].map(id => category(`c-${id}`, id, { name: 'Rent' }));
  await project('b4', budget('s1'), ...groups, ...named);
  const page = async (offset: number) => {
    const path = `/categories?budget_id=b4&name=rent&limit=1&offset=${offset}`;
    const { body, headers } = await served.api(path, { token });
    return [outline(body), body.pagination.has_more, headers.get('link') !== null];
  };
  t.deepEqual(await page(0), [[['x1', 'c-x1']], true, true]);
  t.deepEqual(await page(1), [[['x3', 'c-x3']], true, true]);
  t.deepEqual(await page(2), [[], false, false]);
});
