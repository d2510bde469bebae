// The figures that the sample's people act on are those that the API answers.
import test from 'ava';
import { formatMoney, parseMoney } from '../../projections/money.ts';
import { createRandom } from '../../src/process/random.ts';
import { createSampleBudget } from '../../src/sample/budget.ts';
import { carryOver, idOf, moveIn } from '../../src/sample/catalogue.ts';
import { assignMore, availableIn, readyToAssign } from '../../src/sample/month-turn.ts';
import type { Plan } from '../../src/sample/plan.ts';
import { enterRow } from '../../src/sample/rows.ts';
import { createTimeline } from '../../src/sample/timeline.ts';
import { createModel } from '../model/model.ts';

const PLAN: Plan = {
  accounts: [{ key: 'bank', name: 'Bank', type: 'checking', opening: 1000_00 }],
  groups: [
    { name: 'Needs', mode: 'envelope', categories: [{ name: 'Food' }, { name: 'Trips' }] },
    { name: 'Other', mode: 'income', categories: [{ name: 'Starting Balances' }] },
  ],
  restCategory: 'Food',
  mainAccount: 'bank',
  wallet: 'bank',
  cards: ['bank'],
  regulars: [],
  transfers: [],
  purchases: [],
  memos: {},
  splits: {},
};

test('ready to assign equals that of the months, and all money is there, heldForNextMonth or in an envelope', t => {
  const timeline = createTimeline(createRandom(1));
  timeline.startDay('2025-11-01');
  const budget = createSampleBudget({ id: 'budget', plan: PLAN, seed: 2, timeline });
  timeline.emit('space', 'space.created', { name: null });
  timeline.emit('space', 'space.member-added', { userId: 'anna' });
  budget.emit('budget.created', { spaceId: 'space', name: 'Ours', currency: 'EUR' });
  moveIn(budget);
  const [food, trips] = [idOf(budget, 'category', 'Food'), idOf(budget, 'category', 'Trips')];
  const spend = (categoryId: string, amount: number) =>
    enterRow(budget, { accountId: 'account-bank', date: budget.today, amount, categoryId });
  const model = createModel();
  const figures = (): number[] => {
    for (const event of timeline.drain()) model.deliver(event);
    const { today } = budget;
    const answer = model.answers('anna', { today }).month('budget', today.slice(0, 7));
    const ready = readyToAssign(budget);
    t.is(formatMoney(ready), answer?.readyToAssign ?? '', today);
    const heldForNextMonth = parseMoney(answer?.heldForNextMonth ?? '');
    const all = ready + heldForNextMonth + availableIn(budget, food) + availableIn(budget, trips);
    t.is(formatMoney(all), answer?.cashBalance ?? '', today);
    return [availableIn(budget, food), availableIn(budget, trips), ready];
  };
  carryOver(budget, 'Trips');
  assignMore(budget, food, 100_00);
  assignMore(budget, food, 50_00);
  spend(food, -180_00);
  spend(trips, -20_00);
  t.deepEqual(figures(), [-30_00, -20_00, 850_00]);
  budget.emit('month.held', { month: '2025-11', amount: '400.00' });
  t.deepEqual(figures(), [-30_00, -20_00, 450_00]);
  timeline.startDay('2025-12-05');
  budget.emit('envelope.assigned', { month: '2026-01', categoryId: food, amount: '7.00' });
  t.deepEqual(figures(), [0, -20_00, 820_00]);
  timeline.startDay('2026-01-05');
  t.deepEqual(figures(), [7_00, -20_00, 813_00]);
});
