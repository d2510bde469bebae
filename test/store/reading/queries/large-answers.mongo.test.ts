// Answers from budgets of very long texts: they take room before they are made, and have bounds where rows have none.
import type { Db } from 'mongodb';
import type { Category, CategoryGroup } from '../../../../projections/documents.ts';
import { memoKey, withMemo } from '../../../../projections/memo-text.ts';
import type { CategoryGroup as ServedGroup } from '../../../../schemas/generated/api.ts';
import type { TransactionsQuery } from '../../../../schemas/generated/queries.ts';
import {
  createCollections,
  documentsOf,
  generationCollections,
} from '../../../../src/store/collections.ts';
import { DOCUMENT_STORAGE } from '../../../../src/store/document-storage.ts';
import { readBalances } from '../../../../src/store/reading/queries/balances.ts';
import { readCategoryGroups } from '../../../../src/store/reading/queries/categories.ts';
import { BEFORE_CHANGES } from '../../../../src/store/reading/queries/change-order.ts';
import { readChanges } from '../../../../src/store/reading/queries/changes.ts';
import type { PageRange } from '../../../../src/store/reading/queries/named.ts';
import type { ReachedBudget } from '../../../../src/store/reading/queries/reach.ts';
import type { RoomySource } from '../../../../src/store/reading/queries/room.ts';
import { searchPlaces } from '../../../../src/store/reading/queries/search-places.ts';
import { readTransactions } from '../../../../src/store/reading/queries/transactions.ts';
import { BY_CHANGED, storedRow } from '../../../../src/store/row-codec.ts';
import { inSnapshot } from '../../../../src/store/snapshot.ts';
import { test } from '../../../helpers/file-test.ts';
import { useMongo } from '../../../helpers/mongo.ts';
import { EXAMPLE } from '../../../projections/example-rows.ts';

const mongo = useMongo(test);
let db: Db;

const SET = '1-0';
const GROUPS = 3;
const CATEGORIES = 60;
const NOTE_BYTES = 400_000;
const ROWS = 900;
/** More than one reply has the months of. */
const ACCOUNTS = 450;
/** More than a search reads at once. */
const BLOCKS = 300;
/** All rows together exceed a message of the store (16 MB). */
const MEMO = 'x'.repeat(20_000);

const all = <T>(length: number, make: (index: number) => T) =>
  Array.from({ length }, (_, index) => make(index));

const group = (index: number): CategoryGroup => {
  const name = `Group ${index}`;
  const facts = {
    set: SET,
    id: `g${index}`,
    name,
    nameKey: name.toLowerCase(),
    changed: index + 1,
  };
  return { ...facts, hidden: false, budgetMode: 'envelope', position: index, size: 0 };
};

const category = (index: number): Category => {
  const name = `Category ${index}`;
  const facts = { set: SET, id: `c${index}`, name, nameKey: name.toLowerCase(), position: index };
  const place = { groupId: `g${index % GROUPS}`, budgetMode: 'envelope', hidden: false };
  const changed = 10 + index * 10;
  return {
    ...facts,
    ...place,
    entry: 1,
    changed,
    note: `${index} `.repeat(NOTE_BYTES / 2).slice(0, NOTE_BYTES),
  };
};

const row = (index: number) => ({
  ...EXAMPLE,
  set: SET,
  id: `t${index}`,
  memo: MEMO,
  changed: 10 + index,
});

/** Reads what a query of a snapshot finds, and the bytes that it took room for. */
async function reading<T>(
  read: (source: RoomySource) => Promise<T>,
  refuse = (_bytes: number) => {},
): Promise<{ readonly found: T; readonly room: number }> {
  let room = 0;
  const takeRoom = (bytes: number) => {
    refuse(bytes);
    room = bytes;
  };
  const options = { db, generation: 'g1', queryMsMax: 120_000 };
  const found = await inSnapshot(options, one => read({ reading: one, set: SET, takeRoom }));
  return { found, room };
}

/** Returns the number of cursors that MongoDB keeps for this database. */
async function openCursors(): Promise<number> {
  const open = db.client
    .db('admin')
    .aggregate([
      { $currentOp: { idleCursors: true, allUsers: true } },
      { $match: { type: 'idleCursor', ns: { $regex: `^${db.databaseName}` } } },
    ]);
  return (await open.toArray()).length;
}

test.before(async () => {
  db = mongo.database('large_answers');
  await createCollections(db, 'g1');
  const collections = generationCollections(db, 'g1');
  const { groups, categories, memoBlocks } = DOCUMENT_STORAGE;
  await documentsOf(collections, 'groups').insertMany(
    all(GROUPS, index => groups.encode(group(index))),
  );
  await documentsOf(collections, 'categories').insertMany(
    all(CATEGORIES, index => categories.encode(category(index))),
  );
  const block = (index: number) => {
    return { set: SET, id: String(index), text: withMemo('', memoKey(0, '2026-03-14'), 'tea') };
  };
  await documentsOf(collections, 'memoBlocks').insertMany(
    all(BLOCKS, index => memoBlocks.encode(block(index))),
  );
  await collections.rows.createIndex(BY_CHANGED);
  await collections.rows.insertMany(all(ROWS, index => storedRow(row(index))));
});

test.serial('balances of very many accounts take room for what they are made of', async t => {
  const collections = generationCollections(db, 'g1');
  const sums = { cleared: 100, uncleared: 0, native: 100, count: 1, last: 1 };
  const months = Object.fromEntries(
    all(120, index => [
      `${2016 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`,
      sums,
    ]),
  );
  const { accountMonths, accountDays } = DOCUMENT_STORAGE;
  await documentsOf(collections, 'accountMonths').insertMany(
    all(ACCOUNTS, index => accountMonths.encode({ set: SET, id: `a${index}`, months })),
  );
  await documentsOf(collections, 'accountDays').insertMany(
    all(ACCOUNTS, index =>
      accountDays.encode({ set: SET, id: `a${index}/2025`, months: { 12: { 30: sums } } }),
    ),
  );
  const range = { start: '2015-12-31', end: '2025-12-30', interval: 'month' } as const;
  const query = { ...range, accountId: undefined };
  const { found, room } = await reading(source => readBalances(source, query));
  const amountOf = (monthCount: number) => `${ACCOUNTS * monthCount}.00`;
  t.is(found.length, 121);
  t.deepEqual(
    [found[0]?.total, found[1]?.total, found.at(-1)?.total],
    ['0.00', amountOf(1), amountOf(120)],
  );
  t.true(room > 20_000, `${room}`);
  const small = (bytes: number) => {
    if (bytes > 1_000_000) throw new Error('No room');
  };
  await t.throwsAsync(
    reading(source => readBalances(source, query), small),
    {
      message: 'No room',
    },
  );
  t.is(await openCursors(), 0);
});

test.serial('a page of groups with too long notes says how many there is room for', async t => {
  const list = (page: PageRange & { readonly name?: string }) =>
    reading(source => readCategoryGroups(source, { includeHidden: false, ...page }));
  t.deepEqual((await list({ limit: 500, offset: 0 })).found, { groupsMax: 1 });
  for (let offset = 0; offset < GROUPS; offset += 1) {
    const { found, room } = await list({ limit: 1, offset });
    const [one, ...more] = found as readonly ServedGroup[];
    const members = all(CATEGORIES, category).filter(({ groupId }) => groupId === `g${offset}`);
    t.deepEqual(more, []);
    t.is(one?.id, `g${offset}`);
    t.deepEqual(
      one?.categories.map(({ id, note }) => [id, note]),
      members.map(({ id, note }) => [id, note]),
    );
    t.true(room > 3 * Buffer.byteLength(JSON.stringify(found)));
  }
  t.deepEqual((await list({ limit: 1, offset: GROUPS })).found, []);
  const { found } = await list({ limit: 500, offset: 0, name: 'category 7' });
  t.deepEqual(
    (found as readonly ServedGroup[]).map(one => one.categories.map(({ id }) => id)),
    [['c7']],
  );
  t.is(await openCursors(), 0);
});

test.serial('changes that exceed a message come in more pages, each once and in order', async t => {
  const reached = { set: SET, sequence: 10_000 } as ReachedBudget;
  const seen: string[] = [];
  let pages = 0;
  for (let place = BEFORE_CHANGES, hasMore = true; hasMore; pages += 1) {
    const query = { place, base: 10_000, limit: 1000, today: '2026-01-01' };
    const { found, room } = await reading(source => readChanges(source, reached, query));
    const { categoryGroups, categories, transactions } = found;
    const ids = transactions.map(text => JSON.parse(text.toString()).id as string);
    seen.push(...[...categoryGroups, ...categories].map(({ id }) => id), ...ids);
    t.true(room > Buffer.concat(transactions).length);
    t.true(pages < 9);
    ({ place, hasMore } = found);
  }
  t.true(pages > 1);
  t.is(seen.length, new Set(seen).size);
  t.is(seen.length, GROUPS + CATEGORIES + ROWS);
  t.is(await openCursors(), 0);
});

test.serial('without room for the next part of a page nothing more is read', async t => {
  const full = new Error('full');
  const refuse = (bytes: number) => {
    if (bytes > 20_000_000) throw full;
  };
  const query = { budget_id: 'b1', limit: 1000, offset: 0, 'X-Projection-Wait-Seconds': 2 };
  const list = (source: RoomySource) => readTransactions(source, query as TransactionsQuery);
  const { found, room } = await reading(list);
  t.true(found.length > 1 && room >= 2 * Buffer.concat(found).length);
  t.is(await t.throwsAsync(reading(list, refuse)), full);
  const groups = (source: RoomySource) =>
    readCategoryGroups(source, { includeHidden: false, limit: 1, offset: 0 });
  t.is(await t.throwsAsync(reading(groups, refuse)), full);
  t.is(await openCursors(), 0);
});

test.serial('a search that gives up leaves no cursor', async t => {
  const search = { filters: [], normalized: 'tea' };
  const find = (limit: number) =>
    reading(one => searchPlaces({ ...one, ...search, page: { limit, offset: 0 } }));
  t.is((await find(1)).found, null);
  t.is((await find(100)).found?.length, BLOCKS);
  t.is(await openCursors(), 0);
});
