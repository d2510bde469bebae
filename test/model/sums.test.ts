// The laws of rules/api.md#sums, between bodies of the model, on random budgets.
import test from 'ava';
import { randomHistory } from '../histories/history.ts';
import { HISTORY_TODAY } from '../histories/live-budget.ts';
import { brokenSumLaws } from './laws-of-sums.ts';
import { played } from './played.ts';

test('laws of sums: groups add up to all rows, months to years, and categories to their activity', t => {
  let compared = 0;
  for (let seed = 501; seed <= 512; seed += 1) {
    const model = played(
      randomHistory({ seed, events: 300, budgets: 2, spaces: 1, users: 2, wildNames: true }),
    );
    const answers = model.answers('user-1', { today: HISTORY_TODAY });
    for (const id of model.budgetIds()) {
      if (answers.position(id) === null) continue;
      const ask = (query: Parameters<typeof answers.sums>[1]) =>
        answers.sums(id, query)?.sums ?? [];
      const categoryMonths = (month: string) =>
        answers.categoryMonths(id, { start_month: month, end_month: month, include_hidden: true })
          ?.months[0]?.categories ?? [];
      const { broken, compared: some } = brokenSumLaws(ask, categoryMonths);
      t.deepEqual(broken, [], `seed ${seed}, ${id}`);
      compared += some;
    }
  }
  t.true(compared > 2000, `only ${compared} figures were compared`);
});
