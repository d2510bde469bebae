// The worked example (rules/months.md#worked-example), in both variants.
import test from 'ava';
import { createScene } from './scene.ts';
import { MONTHS, SETTING } from './worked-example.ts';

function exampleScene() {
  const scene = createScene();
  scene.tellAll(...SETTING, ...MONTHS);
  return scene;
}

test('the model gives the worked example the figures of rules/months.md#worked-example without carry-over', t => {
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

test('the model gives the worked example the figures of rules/months.md#worked-example with carry-over for Food', t => {
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

test('the months before and after the worked example follow from it', t => {
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
