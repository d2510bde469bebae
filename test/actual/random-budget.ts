// Makes a random budget in Actual, and changes it.
import * as accounts from './account-actions.ts';
import * as categories from './category-actions.ts';
import * as months from './month-actions.ts';
import * as rows from './row-actions.ts';
import type { Action, Scene } from './scene.ts';
import { FIRST_DAY } from './span.ts';

/** How often an action is taken while a budget is made, and while it is changed. */
type Weights = readonly [action: Action, making: number, changing: number];

const ACTIONS: readonly Weights[] = [
  [accounts.openAccount, 2, 1],
  [accounts.closeAccount, 1, 1],
  [accounts.reopenAccount, 1, 1],
  [accounts.deleteAccount, 1, 1],
  [accounts.renameAccount, 0, 1],
  [accounts.moveAccountOffBudget, 1, 1],
  [accounts.renamePayee, 1, 2],
  [accounts.mergePayees, 1, 2],
  [accounts.deletePayee, 1, 1],
  [categories.addGroup, 1, 1],
  [categories.addCategory, 5, 2],
  [categories.renameCategory, 0, 2],
  [categories.hideCategory, 1, 2],
  [categories.moveCategory, 1, 2],
  [categories.noteCategory, 2, 2],
  [categories.deleteCategory, 2, 2],
  [categories.renameGroup, 0, 1],
  [categories.hideGroup, 1, 1],
  [categories.moveGroup, 1, 1],
  [categories.deleteGroup, 1, 1],
  [months.assign, 18, 6],
  [months.copyMonth, 1, 1],
  [months.carryOver, 5, 3],
  [months.hold, 4, 3],
  [months.resetHold, 1, 2],
  [months.holdIncome, 2, 2],
  [rows.enterRows, 18, 6],
  [rows.transfer, 8, 3],
  [rows.enterSplit, 5, 3],
  [rows.editRow, 8, 12],
  [rows.splitRow, 1, 2],
  [rows.deleteRow, 3, 5],
];

const MAKING = ACTIONS.flatMap(([action, weight]) => Array<Action>(weight).fill(action));
const CHANGING = ACTIONS.flatMap(([action, , weight]) => Array<Action>(weight).fill(action));
const ACCOUNTS = 4;
const GROUPS = 2;
const CATEGORIES = 6;

export async function makeBudget(scene: Scene, actions: number): Promise<void> {
  const { engine } = scene;
  for (let made = 0; made < GROUPS; made += 1) await categories.addGroup(scene);
  for (let made = 0; made < CATEGORIES; made += 1) await categories.addCategory(scene);
  const everyday = await engine.create('Account', { name: 'Everyday' }, 100_000);
  await engine.call('addTransactions', everyday, [{ date: FIRST_DAY, amount: 100 }]);
  for (let made = 1; made < ACCOUNTS; made += 1) await accounts.openAccount(scene);
  for (let taken = 0; taken < actions; taken += 1) await scene.random.pick(MAKING)(scene);
}

export async function changeBudget(scene: Scene, actions: number): Promise<void> {
  for (let taken = 0; taken < actions; taken += 1) await scene.random.pick(CHANGING)(scene);
}
