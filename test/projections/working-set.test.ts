// The working set: documents are loaded once, changed in memory and written once.
import test from 'ava';
import { tombstoneOf } from '../../projections/changed.ts';
import type { Payee, Row } from '../../projections/documents.ts';
import { createWorkingSet } from '../../projections/working-set.ts';

const payee = (id: string, name = id, set = 's'): Payee => ({
  set,
  id,
  name,
  nameKey: name,
  entry: 1,
  changed: 1,
});

test('a document that was not declared and loaded throws, because absence would mean an unknown id', t => {
  const documents = createWorkingSet();
  const message = 'Not declared by any event: payees s/a';
  t.throws(() => documents.get('payees', 's', 'a'), { message });
  t.throws(() => documents.put('payees', payee('a')), { message });
  t.throws(() => documents.edit('payees', { set: 's', id: 'a' }, () => payee('a')), { message });
  t.false(documents.isProvided('payees', 's', 'a'));
  documents.provide('payees', 's/a', null);
  t.true(documents.isProvided('payees', 's', 'a'));
  t.is(documents.get('payees', 's', 'a'), null);
});

test('unknown documents are absent in a new set and in a kind that is loaded whole', t => {
  const documents = createWorkingSet();
  documents.provideNothing('new');
  t.is(documents.get('payees', 'new', 'a'), null);
  documents.provideAll('labels', 's');
  t.is(documents.get('labels', 's', 'a'), null);
  t.true(documents.isProvided('labels', 's', 'b'));
  t.throws(() => documents.get('payees', 's', 'a'));
  t.deepEqual(documents.changes('payees'), []);
});

test('the first document provided counts, because memory is never older than the store', t => {
  const documents = createWorkingSet();
  const first = payee('a', 'first');
  documents.provide('payees', 's/a', first);
  documents.put('payees', payee('a', 'changed'));
  documents.provide('payees', 's/a', payee('a', 'second'));
  t.is(documents.get('payees', 's', 'a')?.name, 'changed');
  t.is(documents.changes('payees')[0]?.loaded, first);
});

test('changes are the differences from the loaded documents', t => {
  const documents = createWorkingSet();
  const [kept, gone] = [payee('kept'), payee('gone')];
  documents.provide('payees', 's/kept', kept);
  documents.provide('payees', 's/gone', gone);
  documents.provide('payees', 's/made', null);
  documents.provide('payees', 's/brief', null);
  const made = payee('made');
  documents.remove('payees', 's', 'gone');
  documents.put('payees', made);
  documents.put('payees', payee('brief'));
  documents.remove('payees', 's', 'brief');
  const change = { kind: 'payees', set: 's', before: new Map() } as const;
  t.deepEqual(documents.changes('payees'), [
    { ...change, id: 'gone', key: 's/gone', loaded: gone, now: null },
    { ...change, id: 'made', key: 's/made', loaded: null, now: made },
  ]);
  t.deepEqual(documents.all('payees', 's'), [kept, made]);
  t.deepEqual(documents.all('payees', 'other'), []);
});

test('an edit copies once, and never changes the loaded document', t => {
  const documents = createWorkingSet();
  const loaded = Object.freeze(payee('a'));
  documents.provide('payees', 's/a', loaded);
  let copies = 0;
  const edit = () =>
    documents.edit('payees', { set: 's', id: 'a' }, stored => {
      copies += 1;
      return { ...(stored ?? payee('a')) };
    }).document;
  const first = edit();
  t.is(edit(), first);
  t.is(copies, 1);
  // A document that was put belongs to the caller, so an edit must copy it.
  const put = payee('a', 'put');
  documents.put('payees', put);
  t.not(edit(), put);
  t.is(copies, 2);
  documents.remove('payees', 's', 'a');
  t.deepEqual(edit(), payee('a'));
});

test('a dropped set leaves nothing to write', t => {
  const documents = createWorkingSet();
  documents.provideNothing('s');
  documents.provideNothing('other');
  documents.put('payees', payee('a'));
  documents.put('labels', payee('a'));
  documents.put('payees', payee('b', 'b', 'other'));
  documents.drop('s');
  documents.drop('never there');
  t.deepEqual(
    documents.changes('payees').map(({ key }) => key),
    ['other/b'],
  );
  t.deepEqual(documents.changes('labels'), []);
  t.deepEqual(documents.all('payees', 's'), []);
});

test('a document that is changed in place keeps its first previous values', t => {
  const documents = createWorkingSet();
  const month = (last: number) => ({ count: 1, cleared: 0, uncleared: 0, native: 0, last });
  const loaded = { set: 's', id: 'a', months: { '2024-01': month(1), '2024-02': month(2) } };
  documents.provide('accountMonths', 's/a', loaded);
  const edit = () =>
    documents.edit('accountMonths', { set: 's', id: 'a' }, () => ({
      ...loaded,
      months: { ...loaded.months },
    }));
  const first = edit();
  first.was('months', '2024-01', first.document.months['2024-01']);
  first.document.months['2024-01'] = month(3);
  edit().was('months', '2024-01', first.document.months['2024-01']);
  edit().was('months', '2024-05', undefined);
  const [change] = documents.changes('accountMonths');
  t.deepEqual(
    [...(change?.before.get('months') ?? [])],
    [
      ['2024-01', month(1)],
      ['2024-05', undefined],
    ],
  );
  t.is(change?.loaded, loaded);
});

test('a commit clears the changes, and later changes start from the committed documents', t => {
  const documents = createWorkingSet();
  documents.provide('payees', 's/a', payee('a'));
  const edited = documents.edit('payees', { set: 's', id: 'a' }, () => payee('a'));
  documents.markCommitted();
  t.deepEqual(documents.changes('payees'), []);
  const again = documents.edit('payees', { set: 's', id: 'a' }, () => payee('copied once more'));
  t.is(again.document, edited.document);
  t.deepEqual(
    documents.changes('payees').map(({ key, loaded }) => [key, loaded]),
    [['s/a', edited.document]],
  );
});

test('rows are evicted when a whole chunk did not use them, even those of a new set', t => {
  const documents = createWorkingSet();
  const row = { set: 's', id: 'r' } as Row;
  documents.provideNothing('s');
  documents.put('rows', row);
  documents.put('payees', payee('a'));
  documents.markCommitted();
  t.is(documents.size(), 1);
  t.is(documents.get('rows', 's', 'r'), row);
  documents.markCommitted();
  t.is(documents.size(), 1);
  t.false(documents.isProvided('rows', 's', 'r'));
  t.throws(() => documents.get('rows', 's', 'r'), {
    message: 'Not declared by any event: rows s/r',
  });
  t.is(documents.get('payees', 's', 'b'), null, 'kinds that are never evicted are known whole');
});

test('rows can be evicted at once, except changed ones', t => {
  const documents = createWorkingSet();
  const row = (id: string) => ({ set: 's', id }) as Row;
  documents.provideNothing('s');
  documents.put('rows', row('stored'));
  documents.put('payees', payee('a'));
  documents.markCommitted();
  documents.provide('rows', 's/changed', null);
  documents.put('rows', row('changed'));
  documents.forgetRows();
  t.false(documents.isProvided('rows', 's', 'stored'));
  t.deepEqual(
    documents.changes('rows').map(({ key }) => key),
    ['s/changed'],
  );
  t.true(documents.isProvided('payees', 's', 'b'));
  documents.markCommitted();
  t.is(documents.size(), 1);
  t.true(documents.isProvided('rows', 's', 'changed'), 'used since then');
});

test('tombstones are put without being loaded, never read unloaded, and forgotten like rows', t => {
  const documents = createWorkingSet();
  const tombstone = tombstoneOf('payees', { set: 's', id: 'a' }, 7);
  const { id } = tombstone;
  const message = 'Not declared by any event: tombstones s/payee/a';
  t.throws(() => documents.get('tombstones', 's', id), { message });
  documents.put('tombstones', tombstone);
  t.is(documents.get('tombstones', 's', id), tombstone);
  t.like(documents.changes('tombstones'), [{ key: 's/payee/a', loaded: null, now: tombstone }]);
  documents.markRowsWritten();
  documents.forgetRows();
  t.is(documents.changes('tombstones').length, 1, 'parts of a transaction write rows alone');
  documents.markCommitted();
  t.is(documents.size(), 1);
  const later = tombstoneOf('payees', { set: 's', id: 'a' }, 9);
  documents.put('tombstones', later);
  t.like(documents.changes('tombstones'), [{ loaded: tombstone, now: later }]);
  documents.markCommitted();
  t.is(documents.size(), 1);
  documents.markCommitted();
  t.is(documents.size(), 0);
  t.throws(() => documents.get('tombstones', 's', id), { message });
});
