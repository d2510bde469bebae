// Questions about sums, with the answers of the model.
import type { Random } from '../histories/random.ts';
import type { Answers } from '../model/answers.ts';
import { lastDayOf } from '../model/calendar.ts';
import type { SumsQuery } from '../model/sums.ts';
import type { Question } from './over-time.ts';

const GROUPS = ['account', 'category', 'categoryGroup', 'payee', 'label', 'none'] as const;
const INTERVALS = ['none', 'month', 'year'] as const;
const TRANSFERS = ['exclude', 'include', 'only'] as const;

/** Returns some questions with each grouping; one for a budget out of reach. */
export function sumQuestions(answers: Answers, budget: string, random: Random): Question[] {
  const rows = answers.transactions(budget)?.transactions ?? [];
  if (rows.length === 0) {
    const query: SumsQuery = { group_by: random.pick(GROUPS), interval: random.pick(INTERVALS) };
    return [['/sums', query, answers.sums(budget, query)]];
  }
  const [row, other] = [random.pick(rows), random.pick(rows)];
  const [first = '', last = ''] = [row.date, other.date].sort();
  const [firstMonth, lastMonth] = [first.slice(0, 7), last.slice(0, 7)];
  const ranges = [
    {},
    { start_date: `${firstMonth}-01`, end_date: lastDayOf(lastMonth) },
    { start_date: first, end_date: last },
    { start_date: `${firstMonth}-01`, end_date: first },
    { start_date: last },
    { end_date: first },
  ];
  const ids = {
    account_id: row.accountId,
    category_id: row.categoryId,
    payee_id: row.payeeId,
    label_id: row.labels[0]?.id ?? null,
  };
  const present = Object.entries(ids).filter(([, id]) => id !== null);
  const queries = GROUPS.flatMap((group_by): SumsQuery[] => {
    const plain = { group_by, interval: random.pick(INTERVALS), transfers: random.pick(TRANSFERS) };
    const onBudget = random.chance(0.5) ? {} : { on_budget: random.chance(0.5) };
    const filters = Object.fromEntries(random.some(new Set(present), 2));
    return [
      { ...plain, ...random.pick(ranges) },
      { ...plain, ...random.pick(ranges), ...onBudget },
      {
        ...plain,
        ...random.pick(ranges),
        ...onBudget,
        ...Object.fromEntries([random.pick(present)]),
      },
      { ...plain, ...random.pick(ranges), ...filters },
      { group_by, interval: 'month', limit: random.between(1, 9), offset: random.below(12) },
    ];
  });
  queries.push({ group_by: 'none', payee_id: 'no-such-payee' });
  return queries.map(query => ['/sums', query, answers.sums(budget, query)] as const);
}
