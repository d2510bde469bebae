// The effects of single events on the answers, where rules/events.md#contradictions and the readings after it are easy
// to misread.
import test from 'ava';
import type { Draft } from '../histories/row-actions.ts';
import type { Answers } from './answers.ts';
import { account, category, createScene, furnish, group, row, timeOf, transfer } from './scene.ts';

function rowsOf(body: ReturnType<Answers['transactions']>) {
  return body?.transactions ?? [];
}

test('archivedAt keeps the first time when a budget is archived twice', t => {
  const scene = createScene();
  scene.tell({ type: 'budget.archived', data: { successorBudgetId: null } });
  scene.tell({ type: 'budget.archived', data: { successorBudgetId: 'budget-2' } });
  const [budget] = scene.answers.budgets().budgets;
  t.is(budget?.archivedAt, timeOf(2));
});

test('a time is truncated to milliseconds', t => {
  const scene = createScene();
  const opened = account('home', true);
  for (const [time, shown] of [
    ['2024-01-01T10:00:00Z', '2024-01-01T10:00:00.000Z'],
    ['2024-01-01T10:00:00.5Z', '2024-01-01T10:00:00.500Z'],
    ['2024-01-01T10:00:00.9999999Z', '2024-01-01T10:00:00.999Z'],
  ] as const) {
    scene.model.deliver(scene.eventOf('budget-1', opened, { time }));
    const [first] = scene.answers.accounts('budget-1')?.accounts ?? [];
    t.is(first?.createdAt, shown);
    scene.tell({ type: 'account.deleted', data: { accountId: 'home' } });
  }
});

test('reconciled clears too, uncleared resets both, cleared leaves reconciled unchanged', t => {
  const scene = furnish(createScene());
  const marks = () => {
    const [first] = rowsOf(scene.answers.transactions('budget-1'));
    return [first?.cleared, first?.reconciled];
  };
  const data = { transactionIds: ['row-1'] };
  scene.tell({ type: 'transaction.reconciled', data });
  t.deepEqual(marks(), [true, true]);
  scene.tell({ type: 'transaction.cleared', data });
  t.deepEqual(marks(), [true, true]);
  scene.tell({ type: 'transaction.uncleared', data });
  t.deepEqual(marks(), [false, false]);
});

test('a changed row keeps its place and its createdAt, and a row that exists again does not', t => {
  const scene = furnish(createScene());
  scene.tellAll(row('row-2'), {
    ...row('row-1', { amount: '9.00' }),
    type: 'transaction.changed',
  } as Draft);
  const before = rowsOf(scene.answers.transactions('budget-1'));
  t.deepEqual(
    before.map(({ id, amount, createdAt }) => [id, amount, createdAt]),
    [
      ['row-2', '-1.00', timeOf(19)],
      ['row-1', '9.00', timeOf(18)],
    ],
  );
  scene.tellAll({ type: 'transaction.deleted', data: { transactionId: 'row-1' } }, row('row-1'));
  const after = rowsOf(scene.answers.transactions('budget-1'));
  t.deepEqual(
    after.map(({ id, createdAt }) => [id, createdAt]),
    [
      ['row-1', timeOf(22)],
      ['row-2', timeOf(19)],
    ],
  );
});

test('account.deleted deletes its rows, and makes the other legs of its transfers standard rows', t => {
  const scene = furnish(createScene());
  scene.tellAll(transfer('a', ['home', 'cash']), transfer('b', ['cash', 'home']));
  t.is(scene.answers.month('budget-1', '2024-03')?.uncategorizedCount, 0);
  scene.tell({ type: 'account.deleted', data: { accountId: 'cash' } });
  const rows = rowsOf(scene.answers.transactions('budget-1'));
  t.deepEqual(
    rows.map(({ id, type, transferAccountId }) => [id, type, transferAccountId]),
    [
      ['a', 'standard', null],
      ['row-1', 'standard', null],
    ],
  );
  t.is(scene.answers.month('budget-1', '2024-03')?.uncategorizedCount, 1);
});

test('category.deleted moves rows and assigned amounts to the replacement, but no carry-over flags', t => {
  const scene = furnish(createScene());
  const month = '2024-03';
  scene.tellAll(
    { type: 'envelope.assigned', data: { month, categoryId: 'food', amount: '2.00' } },
    { type: 'envelope.assigned', data: { month, categoryId: 'rent', amount: '3.00' } },
    { type: 'envelope.carryover-set', data: { month, categoryId: 'food', carriesOver: true } },
    row('big', { categoryId: 'food', amount: '-50.00' }),
    { type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: 'rent' } },
  );
  const figures = scene.answers.month('budget-1', month);
  t.is(figures?.assigned, '5.00');
  t.is(figures?.overspentTotal, '46.00');
  t.is(rowsOf(scene.answers.transactions('budget-1', { category_id: 'rent' })).length, 2);
});

test('a category that exists again has no carry-over flags of the deleted one', t => {
  const scene = furnish(createScene());
  const month = '2024-03';
  scene.tellAll(
    { type: 'envelope.carryover-set', data: { month, categoryId: 'food', carriesOver: true } },
    { type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: null } },
    category('food', 'needs'),
    row('again', { categoryId: 'food' }),
  );
  t.is(scene.answers.month('budget-1', month)?.overspentCount, 1);
});

test('category.moved without a position puts the category last', t => {
  const scene = createScene();
  const add = (categoryId: string, position: number): Draft => ({
    type: 'category.added',
    data: { categoryId, groupId: 'needs', name: categoryId, position },
  });
  scene.tellAll(group('needs', 'envelope'), add('a', 1), add('b', 2));
  scene.tell({ type: 'category.moved', data: { categoryId: 'a', groupId: 'needs' } });
  const [needs] = scene.answers.categories('budget-1')?.categoryGroups ?? [];
  t.deepEqual(
    needs?.categories.map(({ id }) => id),
    ['b', 'a'],
  );
});

test('category.deleted without replacement leaves rows uncategorized and drops assigned amounts', t => {
  const scene = furnish(createScene());
  const month = '2024-03';
  scene.tellAll(
    { type: 'envelope.assigned', data: { month, categoryId: 'food', amount: '2.00' } },
    { type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: null } },
  );
  const figures = scene.answers.month('budget-1', month);
  t.is(figures?.assigned, '0.00');
  t.is(figures?.readyToAssign, '0.00');
  t.is(figures?.uncategorizedCount, 1);
  scene.tell(category('food', 'needs'));
  t.is(scene.answers.month('budget-1', month)?.assigned, '0.00');
});

test('merged payees keep their rows under the other payee, and rows of deleted ones lose their payee', t => {
  const scene = furnish(createScene());
  const name = () => rowsOf(scene.answers.transactions('budget-1'))[0]?.payeeName;
  scene.tell({ type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'mall' } });
  t.is(name(), 'mall');
  scene.tell({ type: 'payee.deleted', data: { payeeId: 'mall' } });
  t.is(name(), null);
  t.deepEqual(scene.answers.payees('budget-1')?.payees, []);
});

test('a group of another mode changes all months, and assigned amounts count again after the return', t => {
  const scene = furnish(createScene());
  const month = '2024-03';
  const assigned = () => scene.answers.month('budget-1', month)?.assigned;
  const move = (groupId: string) =>
    scene.tell({ type: 'category.moved', data: { categoryId: 'food', groupId } });
  scene.tell({ type: 'envelope.assigned', data: { month, categoryId: 'food', amount: '2.00' } });
  t.is(scene.answers.month('budget-1', month)?.readyToAssign, '-2.00');
  move('direct');
  t.is(assigned(), '0.00');
  t.is(scene.answers.month('budget-1', month)?.readyToAssign, '-1.00');
  move('needs');
  t.is(assigned(), '2.00');
});

test('carry-over lasts from its month until the next month that sets it, in any order of the events', t => {
  const scene = furnish(createScene());
  const set = (month: string, carriesOver: boolean) =>
    scene.tell({
      type: 'envelope.carryover-set',
      data: { month, categoryId: 'food', carriesOver },
    });
  set('2024-05', false);
  set('2024-03', true);
  const counts = ['2024-03', '2024-04', '2024-05', '2024-06'].map(
    month => scene.answers.month('budget-1', month)?.overspentCount,
  );
  t.deepEqual(counts, [0, 0, 1, 0]);
  set('2024-04', false);
  t.is(scene.answers.month('budget-1', '2024-04')?.overspentCount, 1);
});

test('a lone transfer leg between on-budget accounts changes cash, and not ready to assign', t => {
  const scene = createScene();
  scene.tellAll(account('home', true), account('cash', true), group('needs', 'envelope'));
  scene.tell(transfer('a', ['home', 'cash'], { amount: '-5.00' }));
  const figures = scene.answers.month('budget-1', '2024-03');
  t.is(figures?.cashBalance, '-5.00');
  t.is(figures?.readyToAssign, '0.00');
  t.is(figures?.uncategorizedCount, 0);
  t.deepEqual(scene.model.lawViolations('budget-1'), []);
});
