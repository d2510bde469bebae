// Things by their names, and single transactions, with expected values by hand.
import test from 'ava';
import { account, category, createScene, furnish, group, label, payee, row } from './scene.ts';

function ids(list: readonly { id: string }[] | undefined): string[] | undefined {
  return list?.map(({ id }) => id);
}

test('a single transaction is that of the list, and one that is gone is 404', t => {
  const scene = furnish(createScene());
  const single = () => scene.answers.transaction('budget-1', 'row-1');
  t.deepEqual(single(), scene.answers.transactions('budget-1')?.transactions[0] ?? null);
  t.truthy(single());
  scene.tell({ type: 'transaction.deleted', data: { transactionId: 'row-1' } });
  t.is(single(), null);
  scene.tell(row('row-1', { memo: 'again' }));
  t.is(single()?.memo, 'again');
  t.is(scene.answers.transaction('budget-2', 'row-1'), null);
});

test('a name selects everything with the same name key, and of groups those with such a category', t => {
  const scene = createScene();
  scene.tellAll(
    ...['cafe\u0301', 'CAFÉ', 'cafe', 'Café '].map((name, index) =>
      account(`a${index}`, true, { name }),
    ),
    payee('p1', 'Straße'),
    payee('p2', 'STRASSE'),
    label('l1', 'Straße'),
    group('Café'),
    group('g2'),
    group('g3'),
    category('c1', 'g2', { name: 'Café' }),
    category('c2', 'g2', { name: 'Tea' }),
    category('c3', 'g3', { name: 'CAFÉ' }),
    { type: 'category.hidden', data: { categoryId: 'c3' } },
  );
  const { answers } = scene;
  t.deepEqual(ids(answers.accounts('budget-1', { name: 'café' })?.accounts), ['a0', 'a1']);
  t.deepEqual(ids(answers.payees('budget-1', { name: 'STRAßE' })?.payees), ['p1']);
  t.deepEqual(ids(answers.labels('budget-1', { name: 'strasse' })?.labels), []);
  const groupsOf = (include_hidden: boolean) =>
    answers
      .categories('budget-1', { name: 'cAFÉ', include_hidden })
      ?.categoryGroups.map(({ id, categories }) => [id, ...categories.map(one => one.id)]);
  t.deepEqual(groupsOf(false), [['g2', 'c1']]);
  t.deepEqual(groupsOf(true), [
    ['g2', 'c1'],
    ['g3', 'c3'],
  ]);
});
