// When the documents of a chunk are encoded: new rows when they are sent, all others at once.
import test from 'ava';
import type { Row } from '../../../projections/documents.ts';
import { createWorkingSet } from '../../../projections/working-set.ts';
import { documentWrites, rowWrites } from '../../../src/store/writing/write-documents.ts';
import { EXAMPLE } from '../../projections/example-rows.ts';

const { set } = EXAMPLE;
const ids = ['row-1', 'row-2', 'row-3'];

function withRows() {
  const documents = createWorkingSet();
  documents.provideNothing(set);
  for (const id of ids) documents.put('rows', { ...EXAMPLE, id });
  return documents;
}

test('new rows are encoded when they are asked for, so that few of them wait in memory', t => {
  const documents = createWorkingSet();
  documents.provideNothing(set);
  const read: string[] = [];
  for (const id of ids) {
    const row: Row = { ...EXAMPLE, id };
    Object.defineProperty(row, 'memo', { get: () => read.push(id) && EXAMPLE.memo });
    documents.put('rows', row);
  }
  const rows = rowWrites(documents).get('rows');
  t.deepEqual(read, []);
  const [first] = rows?.inserts ?? [];
  t.is(first?._id, `${set}/row-1`);
  t.deepEqual([...new Set(read)], ['row-1']);
});

test('rows can be asked for again, and come as they were when the chunk ended', t => {
  const documents = withRows();
  const rows = rowWrites(documents).get('rows');
  const found = [...(rows?.inserts ?? [])];
  t.deepEqual(
    found.map(({ _id }) => _id),
    ids.map(id => `${set}/${id}`),
  );
  documents.markRowsWritten();
  documents.put('rows', { ...EXAMPLE, id: 'row-1', memo: 'The next chunk' });
  documents.remove('rows', set, 'row-2');
  documents.forgetRows();
  t.deepEqual([...(rows?.inserts ?? [])], found);
});

test('documents that the next chunk may change in place are encoded at once', t => {
  const documents = createWorkingSet();
  documents.provideNothing(set);
  const none = () => ({ set, id: '0', text: '' });
  documents.edit('memoBlocks', { set, id: '0' }, none).document.text = 'this chunk';
  const writes = documentWrites(documents).get('memoBlocks');
  documents.markCommitted();
  documents.edit('memoBlocks', { set, id: '0' }, none).document.text = 'the next chunk';
  t.deepEqual(
    [...(writes?.inserts ?? [])],
    [{ _id: `${set}/0`, set, id: '0', text: 'this chunk' }],
  );
});
