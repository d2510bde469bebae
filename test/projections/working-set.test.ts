// The working set: what is loaded once, changed in memory and written once.
import test from 'ava';
import type { Payee } from '../../projections/documents.ts';
import { createWorkingSet } from '../../projections/working-set.ts';

const payee = (id: string, name = id, set = 's'): Payee => ({ set, id, name, nameKey: name });

test('a document that was not declared and loaded throws: silence would look like an unknown id', t => {
  const documents = createWorkingSet();
  const message = 'Not declared by any event: payees s/a';
  t.throws(() => documents.get('payees', 's', 'a'), { message });
  t.throws(() => documents.put('payees', 's', 'a', payee('a')), { message });
  t.throws(() => documents.edit('payees', 's', 'a', () => payee('a')), { message });
  t.false(documents.isProvided('payees', 's/a'));
  documents.provide('payees', 's/a', null);
  t.true(documents.isProvided('payees', 's/a'));
  t.is(documents.get('payees', 's', 'a'), null);
});

test('of a new set, and of a kind that is loaded whole, nothing else is there', t => {
  const documents = createWorkingSet();
  documents.provideNothing('new');
  t.is(documents.get('payees', 'new', 'a'), null);
  documents.provideAll('labels', 's');
  t.is(documents.get('labels', 's', 'a'), null);
  t.true(documents.isProvided('labels', 's/b'));
  t.throws(() => documents.get('payees', 's', 'a'));
  t.deepEqual(documents.changes('payees'), []);
});

test('the first document provided counts: what is in memory is never older than the store', t => {
  const documents = createWorkingSet();
  const first = payee('a', 'first');
  documents.provide('payees', 's/a', first);
  documents.put('payees', 's', 'a', payee('a', 'changed'));
  documents.provide('payees', 's/a', payee('a', 'second'));
  t.is(documents.get('payees', 's', 'a')?.name, 'changed');
  t.is(documents.changes('payees')[0]?.loaded, first);
});

test('changes are what differs from what was loaded', t => {
  const documents = createWorkingSet();
  const [kept, gone] = [payee('kept'), payee('gone')];
  documents.provide('payees', 's/kept', kept);
  documents.provide('payees', 's/gone', gone);
  documents.provide('payees', 's/made', null);
  documents.provide('payees', 's/brief', null);
  const made = payee('made');
  documents.put('payees', 's', 'gone', null);
  documents.put('payees', 's', 'made', made);
  documents.put('payees', 's', 'brief', payee('brief'));
  documents.put('payees', 's', 'brief', null);
  t.deepEqual(documents.changes('payees'), [
    { collection: 'payees', key: 's/gone', loaded: gone, now: null },
    { collection: 'payees', key: 's/made', loaded: null, now: made },
  ]);
  t.deepEqual(documents.all('payees', 's'), [kept, made]);
  t.deepEqual(documents.all('payees', 'other'), []);
});

test('an edit copies once, and never what was loaded', t => {
  const documents = createWorkingSet();
  const loaded = Object.freeze({ set: 's', id: 'a', name: 'a', nameKey: 'a' });
  documents.provide('payees', 's/a', loaded);
  let copies = 0;
  const edit = () =>
    documents.edit('payees', 's', 'a', stored => {
      copies += 1;
      return { ...(stored ?? payee('a')) };
    });
  const first = edit();
  t.is(edit(), first);
  t.is(copies, 1);
  // What was put from outside is not ours to change.
  const put = payee('a', 'put');
  documents.put('payees', 's', 'a', put);
  t.not(edit(), put);
  t.is(copies, 2);
  documents.put('payees', 's', 'a', null);
  t.deepEqual(edit(), payee('a'));
});

test('a dropped set leaves nothing to write', t => {
  const documents = createWorkingSet();
  documents.provideNothing('s');
  documents.provideNothing('other');
  documents.put('payees', 's', 'a', payee('a'));
  documents.put('labels', 's', 'a', payee('a'));
  documents.put('payees', 'other', 'b', payee('b', 'b', 'other'));
  documents.drop('s');
  documents.drop('never there');
  t.deepEqual(
    documents.changes('payees').map(({ key }) => key),
    ['other/b'],
  );
  t.deepEqual(documents.changes('labels'), []);
  t.deepEqual(documents.all('payees', 's'), []);
});
