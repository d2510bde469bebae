// The worked example of months.md, both variants.
import test from 'ava';
import { account, category, createScene, group, row } from './scene.ts';

function exampleScene() {
  const scene = createScene();
  const spend = (id: string, date: string, categoryId: string | null, amount: string) =>
    row(id, { date, accountId: 'bank', categoryId, amount });
  const assign = (month: string, categoryId: string, amount: string) =>
    ({ type: 'envelope.assigned', data: { month, categoryId, amount } }) as const;
  scene.tellAll(
    account('bank', true),
    group('wages', 'income'),
    group('needs', 'envelope'),
    category('wage', 'wages'),
    category('food', 'needs'),
    category('rent', 'needs'),
    spend('t1', '2024-01-31', 'wage', '2000.00'),
    assign('2024-01', 'food', '300.00'),
    assign('2024-01', 'rent', '500.00'),
    { type: 'month.held', data: { month: '2024-01', amount: '200.00' } },
    spend('t2', '2024-01-15', 'food', '-345.00'),
    spend('t3', '2024-01-02', 'rent', '-500.00'),
    spend('t4', '2024-02-01', 'wage', '1000.00'),
    assign('2024-02', 'food', '300.00'),
    assign('2024-02', 'rent', '500.00'),
    spend('t5', '2024-02-10', 'food', '-100.00'),
    spend('t6', '2024-02-10', 'rent', '-500.00'),
    spend('t7', '2024-02-29', null, '-15.00'),
  );
  return scene;
}

test('worked example: carry-over off', t => {
  const { answers, model } = exampleScene();
  t.deepEqual(answers.month('budget-1', '2024-01'), {
    month: '2024-01',
    readyToAssign: '1000.00',
    assigned: '800.00',
    cashBalance: '1155.00',
    overspentTotal: '45.00',
    overspentCount: 1,
    uncategorizedCount: 0,
    heldForNextMonth: '200.00',
  });
  t.deepEqual(answers.month('budget-1', '2024-02'), {
    month: '2024-02',
    readyToAssign: '1355.00',
    assigned: '800.00',
    cashBalance: '1540.00',
    overspentTotal: '0.00',
    overspentCount: 0,
    uncategorizedCount: 1,
    heldForNextMonth: '0.00',
  });
  t.deepEqual(model.lawViolations('budget-1'), []);
});

test('worked example: carry-over on for Food', t => {
  const scene = exampleScene();
  const data = { month: '2023-05', categoryId: 'food', carriesOver: true };
  scene.tell({ type: 'envelope.carryover-set', data });
  const january = scene.answers.month('budget-1', '2024-01');
  t.is(january?.readyToAssign, '1000.00');
  t.is(january?.overspentTotal, '0.00');
  t.is(january?.overspentCount, 0);
  const february = scene.answers.month('budget-1', '2024-02');
  t.is(february?.readyToAssign, '1400.00');
  t.is(february?.cashBalance, '1540.00');
  t.deepEqual(scene.model.lawViolations('budget-1'), []);
});

test('worked example: outside the data', t => {
  const { answers } = exampleScene();
  t.deepEqual(answers.month('budget-1', '2023-12'), {
    month: '2023-12',
    readyToAssign: '0.00',
    assigned: '0.00',
    cashBalance: '0.00',
    overspentTotal: '0.00',
    overspentCount: 0,
    uncategorizedCount: 0,
    heldForNextMonth: '0.00',
  });
  const far = {
    month: '9999-12',
    readyToAssign: '1355.00',
    assigned: '0.00',
    cashBalance: '1540.00',
    overspentTotal: '0.00',
    overspentCount: 0,
    uncategorizedCount: 0,
    heldForNextMonth: '0.00',
  };
  t.deepEqual(answers.month('budget-1', '9999-12'), far);
  t.deepEqual(answers.month('budget-1', '2024-03'), { ...far, month: '2024-03' });
});
