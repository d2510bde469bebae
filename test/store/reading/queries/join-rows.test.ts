// The body of /transactions is made of the stored texts.
import test from 'ava';
import { BSON, type Document } from 'mongodb';
import { joinRows } from '../../../../src/store/reading/queries/page-bodies.ts';

// An array in BSON is a document whose fields are the indexes.
const batch = (rows: readonly Document[]) => Buffer.from(BSON.serialize({ ...rows }));
const stored = (texts: readonly string[]) => batch(texts.map(json => ({ json })));

test('joinRows: texts are joined as they are, with commas and the Pagination', t => {
  const texts = ['{"id":"é\u{1F600}"}', '{"exchangeRate":1e-7}', '{}'];
  const body = joinRows([stored(texts)], { limit: 4, offset: 8 }).body.toString();
  const pagination = '{"limit":4,"offset":8,"has_more":false}';
  t.is(body, `{"transactions":[${texts.join(',')}],"pagination":${pagination}}`);
});

test('joinRows: several batches make one list', t => {
  const many = Array.from({ length: 120 }, (_, index) => `{"id":"${index}"}`);
  const batches = [stored(many.slice(0, 101)), stored(many.slice(101)), stored([])];
  const body = JSON.parse(joinRows(batches, { limit: 1000, offset: 0 }).body.toString());
  t.deepEqual(
    body.transactions.map(({ id }: { id: string }) => id),
    [...many.keys()].map(String),
  );
});

test('has_more: true exactly when the page was full (rows == limit)', t => {
  const page = (rows: number) =>
    joinRows([stored(new Array(rows).fill('{}'))], { limit: 2, offset: 0 });
  const hasMore = (rows: number) => JSON.parse(page(rows).body.toString()).pagination.has_more;
  t.deepEqual([0, 1, 2].map(hasMore), [false, false, true]);
  t.deepEqual(
    [0, 1, 2].map(rows => page(rows).rows),
    [0, 1, 2],
  );
});

test('joinRows: a row in another form is an error', t => {
  for (const row of [{ other: 'x' }, { json: 5 }, {}]) {
    t.throws(() => joinRows([batch([row])], { limit: 1, offset: 0 }), {
      message: /one field, json/,
    });
  }
  const text = Buffer.from(BSON.serialize({ 0: 'text' }));
  t.throws(() => joinRows([text], { limit: 1, offset: 0 }), { message: /one field, json/ });
  const whole = batch([{ json: '{}' }]);
  for (let length = 6; length < 20; length += 1) {
    t.throws(() => joinRows([whole.subarray(0, length)], { limit: 1, offset: 0 }), {
      message: /one field, json/,
    });
  }
});
