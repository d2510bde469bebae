// GET /categories
import test from 'ava';
import { useMongo } from '../helpers/mongo.ts';
import { writeBudget, writeSpace } from '../read-store/write-model.ts';
import { holdsTo } from './contract.ts';
import { type Served, serve } from './serve.ts';

const mongo = useMongo(test);
let served: Served;
let token: string;

test.before(async () => {
  served = await serve(mongo, 'http_categories');
  token = await served.issue('anna');
  await writeSpace(served.model, 's1', ['anna']);
  await writeBudget(served.model, {
    id: 'b1',
    spaceId: 's1',
    groups: [
      { id: 'g1', name: 'Living', position: 1 },
      { id: 'g2', name: 'Hidden', position: 0, hidden: true },
      { id: 'g3', name: 'Income', budgetMode: 'income' },
      { id: 'g4', name: 'empty', position: 1 },
    ],
    categories: [
      { id: 'c1', groupId: 'g1', name: 'Rent', position: 2, note: 'monthly' },
      { id: 'c2', groupId: 'g1', name: 'Food', position: 1 },
      { id: 'c3', groupId: 'g1', name: 'Old', hidden: true },
      { id: 'c4', groupId: 'g2', name: 'In hidden' },
      { id: 'c5', groupId: 'g3', name: 'Salary' },
    ],
  });
});

mongo.beforeStop(async () => {
  await served?.stop();
});

interface Group {
  readonly id: string;
  readonly categories: readonly { readonly id: string }[];
}

const outline = (body: { categoryGroups: Group[] }) =>
  body.categoryGroups.map(({ id, categories }) => [id, ...categories.map(one => one.id)]);
const list = (query = '') => served.api(`/categories?budget_id=b1${query}`, { token });

test('GET /categories: position (rows without one last), then name key, then id', async t => {
  const { status, body } = await list('&include_hidden=true');
  t.is(status, 200);
  t.is(holdsTo('categories', body), null);
  t.deepEqual(outline(body), [['g2', 'c4'], ['g4'], ['g1', 'c2', 'c1', 'c3'], ['g3', 'c5']]);
  t.deepEqual(body.pagination, { limit: 500, offset: 0, has_more: false });
});

test('include_hidden: default false: hidden groups are left out whole, visible groups stay when empty', async t => {
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
