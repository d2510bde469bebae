// The body of /transactions is made of the stored texts.
import test from 'ava';
import { BSON } from 'mongodb';
import { joinRows } from '../../../src/read-store/queries/join-rows.ts';

const stored = (json: string) => Buffer.from(BSON.serialize({ json }));

test('joinRows: texts are joined as they are, with commas and the Pagination', t => {
  const texts = ['{"id":"é\u{1F600}"}', '{"exchangeRate":1e-7}', '{}'];
  const body = joinRows(texts.map(stored), { limit: 4, offset: 8 }).toString();
  const pagination = '{"limit":4,"offset":8,"has_more":false}';
  t.is(body, `{"transactions":[${texts.join(',')}],"pagination":${pagination}}`);
});

test('has_more: true exactly when the page was full (rows == limit)', t => {
  const hasMore = (rows: number) =>
    JSON.parse(joinRows(new Array(rows).fill(stored('{}')), { limit: 2, offset: 0 }).toString())
      .pagination.has_more;
  t.deepEqual([0, 1, 2].map(hasMore), [false, false, true]);
});

test('joinRows: a row in another form is an error', t => {
  for (const row of [{ other: 'x' }, { json: 5 }, {}]) {
    const bytes = Buffer.from(BSON.serialize(row));
    t.throws(() => joinRows([bytes], { limit: 1, offset: 0 }), { message: /one field, json/ });
  }
});
