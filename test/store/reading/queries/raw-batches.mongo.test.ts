// Documents that come as bytes, in as many batches as the store needs.
import { joinRows } from '../../../../src/store/reading/queries/page-bodies.ts';
import { rawBatches } from '../../../../src/store/reading/queries/raw-batches.ts';
import { eachRow } from '../../../../src/store/reading/whole-budget.ts';
import { type StoredRow, storedRow } from '../../../../src/store/row-codec.ts';
import { inSnapshot } from '../../../../src/store/snapshot.ts';
import { test } from '../../../helpers/file-test.ts';
import { useMongo } from '../../../helpers/mongo.ts';
import { EXAMPLE, FOREIGN } from '../../../projections/example-rows.ts';

const mongo = useMongo(test);

const ROWS = 900;
/** Long: no test here is about time. */
const QUERY_MS_MAX = 120_000;
/** So long that all rows together are more than one batch holds (16 MB). */
const TEXT = 'x'.repeat(20_000);

test('a page larger than a batch comes whole, in order and of one instant', async t => {
  const db = mongo.database('raw_batches');
  const rows = db.collection<{ _id: number; json: string }>('rows');
  const text = (id: number) => JSON.stringify({ id, TEXT });
  await rows.insertMany(Array.from({ length: ROWS }, (_, id) => ({ _id: id, json: text(id) })));
  const command = {
    find: 'rows',
    sort: { _id: -1 },
    projection: { _id: 0, json: 1 },
    limit: ROWS,
    batchSize: ROWS + 1,
  };
  const batches = await inSnapshot(
    { db, generation: 'g1', queryMsMax: QUERY_MS_MAX },
    async reading => {
      await rows.findOne({}, reading.options);
      await rows.deleteMany({ _id: { $lt: ROWS / 2 } });
      return await rawBatches(reading, command);
    },
  );
  t.true(batches.length > 1);
  const page = JSON.parse(joinRows(batches, { limit: ROWS, offset: 0 }).body.toString());
  t.deepEqual(
    page.transactions.map(({ id }: { id: number }) => id),
    Array.from({ length: ROWS }, (_, index) => ROWS - 1 - index),
  );
  t.true(page.pagination.has_more);
});

test('nothing found is one empty batch', async t => {
  const db = mongo.database('raw_batches');
  const batches = await inSnapshot({ db, generation: 'g1', queryMsMax: QUERY_MS_MAX }, reading =>
    rawBatches(reading, { find: 'rows', projection: { _id: 0, json: 1 } }),
  );
  t.is(batches.length, 1);
  t.deepEqual(
    JSON.parse(joinRows(batches, { limit: 1, offset: 0 }).body.toString()).transactions,
    [],
  );
});

test('all rows of a set come as they were stored, and none of another set', async t => {
  const db = mongo.database('whole_rows');
  const memos = Array.from({ length: ROWS }, (_, index) => `Käse, \u{1f600}, ${index} ${TEXT}`);
  const rows = memos.map((memo, index) => ({ ...FOREIGN, id: `t${index}`, memo, changed: index }));
  const other = { ...FOREIGN, set: '1-0' };
  const far = { ...FOREIGN, id: 'far', entry: 2 ** 31 - 1, changed: 2 ** 31, onBudget: false };
  const all = [...rows, far, EXAMPLE];
  const stored = [...all, other].map(storedRow);
  await db.collection<StoredRow>('g1_rows').insertMany(stored);
  const found = new Map<string, unknown>();
  await inSnapshot({ db, generation: 'g1', queryMsMax: QUERY_MS_MAX }, reading =>
    eachRow(reading, FOREIGN.set, row => found.set(row.id, row)),
  );
  t.is(found.size, all.length);
  for (const row of all) t.deepEqual(found.get(row.id), row);
});
