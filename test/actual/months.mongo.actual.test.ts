// A budget whose first transaction is given a later date: Actual then leaves out the amounts of its first months.
import anyTest from 'ava';
import { startEngine } from '../../scripts/actual/start-engine.ts';
import { actualFolder, actualTest } from '../helpers/actual.ts';
import { useMongo } from '../helpers/mongo.ts';
import { createEngine, type Engine } from './engine.ts';
import { engineFigures } from './engine-figures.ts';
import { differencesOf } from './figures.ts';
import { ourFigures } from './our-figures.ts';
import { NEW_BUDGET, openProduct } from './product.ts';
import { NOW, TODAY } from './span.ts';

const test = actualTest(anyTest);
const mongo = useMongo(anyTest);

/** @returns the id of the first transaction */
async function makeBudget(engine: Engine): Promise<string> {
  await engine.createBudget('Dates', { seed: 1, now: NOW });
  const account = await engine.create('Account', { name: 'Bank' }, 0);
  const group = await engine.create('CategoryGroup', { name: 'Daily' });
  const food = await engine.create('Category', { name: 'Food', group_id: group });
  const income = (await engine.groups()).find(({ is_income }) => is_income);
  const category = income?.categories[0]?.id;
  await engine.call('addTransactions', account, [
    { date: '2024-01-15', amount: 100_000, category },
    { date: '2026-01-10', amount: 50_000, category },
  ]);
  await engine.call('setBudgetAmount', '2024-01', food, 30_000);
  await engine.call('holdBudgetForNextMonth', '2024-01', 20_000);
  await engine.call('setBudgetCarryover', '2024-01', food, true);
  await engine.call('setBudgetAmount', '2026-01', food, 10_000);
  const first = (await engine.transactions()).find(({ date }) => date === '2024-01-15');
  return first?.id ?? '';
}

test('a first transaction that is moved two years on has the figures of Actual before and after', async t => {
  const engine = createEngine(await startEngine(await actualFolder(), process.env));
  t.teardown(() => engine.stop());
  const product = await openProduct(mongo, 'actual');
  t.teardown(() => product.stop());
  const differences = async (budgetId: string) => {
    const actual = await engineFigures(engine, TODAY);
    const ours = await ourFigures(product.reader(budgetId), await engine.months());
    return { readyToAssign: ours.get('2026-01 readyToAssign'), all: differencesOf(actual, ours) };
  };
  const first = await makeBudget(engine);
  const budgetId = await product.importFile(await engine.exportAndReopen(), NEW_BUDGET);
  t.deepEqual(await differences(budgetId), { readyToAssign: '1100.00', all: [] });
  await engine.call('updateTransaction', first, { date: '2026-01-15' });
  const moved = await engine.exportAndReopen();
  await product.importFile(moved, ['--into', budgetId]);
  t.deepEqual(await differences(budgetId), { readyToAssign: '1400.00', all: [] });
  await product.importAgain(moved, budgetId);
});
