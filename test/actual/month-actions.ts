// Random actions on the months of a budget in Actual.
import { type Action, amountOf, categoriesOf, monthOf, oneOf } from './scene.ts';

const CATEGORIES_MAX = 6;

export const assign: Action = async scene => {
  const { engine, random } = scene;
  const month = monthOf(scene);
  const { expenses } = await categoriesOf(scene);
  for (const { id } of random.some(expenses, random.between(1, CATEGORIES_MAX))) {
    const amount = amountOf(scene) * random.pick([5, 5, 5, 5, 0, -1]);
    await engine.call('setBudgetAmount', month, id, amount);
  }
};

export const copyMonth: Action = scene =>
  scene.engine.send('budget/copy-previous-month', { month: monthOf(scene) });

export const carryOver: Action = async scene => {
  const { expenses } = await categoriesOf(scene);
  // Often one of two, so that it is switched off again too.
  const category = oneOf(scene, scene.random.chance(0.6) ? expenses.slice(0, 2) : expenses);
  if (category === undefined) return;
  const isOn = scene.random.chance(0.6);
  await scene.engine.call('setBudgetCarryover', monthOf(scene), category.id, isOn);
};

export const hold: Action = scene =>
  scene.engine.call('holdBudgetForNextMonth', monthOf(scene), amountOf(scene));

export const resetHold: Action = scene => scene.engine.call('resetBudgetHold', monthOf(scene));

/** Sets the income of a category aside automatically, which only Actual's own pages offer. */
export const holdIncome: Action = async scene => {
  const category = oneOf(scene, (await categoriesOf(scene)).incomes);
  if (category === undefined) return;
  const change = {
    startMonth: monthOf(scene),
    category: category.id,
    flag: scene.random.chance(0.6),
  };
  await scene.engine.send('budget/set-carryover', change);
};
