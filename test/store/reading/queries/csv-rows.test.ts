// Transactions as CSV (rules/api.md#csv; RFC 4180).
import test from 'ava';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { BSON } from 'mongodb';
import type { Transaction } from '../../../../schemas/generated/api.ts';
import { type JsonSchema, readJson } from '../../../../scripts/generate/schema-files.ts';
import { CSV_HEAD, csvLine } from '../../../../src/store/reading/queries/csv.ts';
import { csvRows } from '../../../../src/store/reading/queries/page-bodies.ts';

const DEFINITIONS = readJson('schemas/api/definitions.json').$defs as Record<string, JsonSchema>;
const FIELDS = Object.keys(DEFINITIONS.Transaction?.properties as object);

const ROW: Transaction = {
  id: 't1',
  date: '2024-01-02',
  accountId: 'a1',
  accountName: 'Cash',
  payeeId: null,
  payeeName: null,
  categoryId: 'c1',
  categoryName: 'Food, drink',
  memo: 'said "hi"\r\nand left',
  amount: '-12.30',
  amountNative: '-15.00',
  exchangeRate: 1e-7,
  currency: 'USD',
  type: 'standard',
  cleared: true,
  reconciled: false,
  transferAccountId: null,
  splitGroupId: null,
  labels: [
    { id: 'l1', name: 'Holiday' },
    { id: 'l2', name: 'a; b' },
  ],
  createdAt: '2024-01-02T03:04:05.678Z',
};

const csvText = (rows: readonly Transaction[]) => CSV_HEAD + rows.map(csvLine).join('');

test('a header line with the fields of Transaction in their order; every line ends with CRLF', t => {
  t.is(csvText([]), `${FIELDS.join(',')}\r\n`);
});

test('a row: null is an empty cell, labels are names, cells with separators are quoted', t => {
  const [, ...lines] = csvText([ROW]).split(/(?<=[^"]\r\n)/);
  t.is(
    lines.join(''),
    't1,2024-01-02,a1,Cash,,,c1,"Food, drink","said ""hi""\r\nand left",-12.30,-15.00,1e-7,USD,standard,true,false,,,Holiday; a; b,2024-01-02T03:04:05.678Z\r\n',
  );
});

test('the texts of the store make the same lines, whichever batches they come in', async t => {
  const rows = [ROW, { ...ROW, id: 't2', memo: '=1+1' }, { ...ROW, id: 'é' }];
  const batch = (some: readonly Transaction[]) =>
    Buffer.from(BSON.serialize({ ...some.map(row => ({ json: JSON.stringify(row) })) }));
  const batches = [batch(rows.slice(0, 2)), batch(rows.slice(2))];
  t.deepEqual(await csvRows(batches), { body: Buffer.from(csvText(rows)), rows: rows.length });
  t.deepEqual(await csvRows([]), { body: Buffer.from(csvText([])), rows: 0 });
});

test('another reader of RFC 4180 reads back every text as it is', t => {
  const text = fc.string({ unit: fc.constantFrom(',', '"', '\r', '\n', ' ', '=', ';', 'a', '€') });
  const rows = fc.array(
    fc.record({ memo: text, accountName: fc.option(text), payeeName: fc.option(text) }),
  );
  fc.assert(
    fc.property(rows, some => {
      const written = csvText(some.map(fields => ({ ...ROW, ...fields })));
      const read = parse(written, { columns: true, record_delimiter: '\r\n' }) as Record<
        string,
        string
      >[];
      t.deepEqual(
        read.map(({ memo, accountName, payeeName }) => ({ memo, accountName, payeeName })),
        some.map(({ memo, accountName, payeeName }) => ({
          memo,
          accountName: accountName ?? '',
          payeeName: payeeName ?? '',
        })),
      );
    }),
  );
});
