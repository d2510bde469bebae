// Questions about months, envelopes and balances over time, with the answers of the model.
import { HISTORY_TODAY } from '../histories/live-budget.ts';
import type { Random } from '../histories/random.ts';
import type { Answers } from '../model/answers.ts';
import { monthIndex, monthText } from '../model/calendar.ts';
import type { BalancesQuery, CategoryMonthsQuery, MonthsQuery } from '../model/over-time.ts';

/** A request, and the body that the model answers; null for 404. */
export type Question = readonly [path: string, query: object, expected: object | null];

/** Rows are mostly dated between them. */
const [FIRST_MONTH, LAST_MONTH] = [monthIndex('2023-10'), monthIndex('2027-04')];
const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.parse('2023-10-01');
const DAYS = 1280;

export function overTime(answers: Answers, budget: string, random: Random): Question[] {
  const groups = answers.categories(budget, { include_hidden: true })?.categoryGroups ?? [];
  const categories = groups.flatMap(group => group.categories).map(({ id }) => id);
  const accounts = (answers.accounts(budget)?.accounts ?? []).map(({ id }) => id);
  const category_id = random.pick([...categories, 'no-such-category']);
  const account_id = random.pick([...accounts, 'no-such-account']);
  const now = { start_month: 'current', end_month: 'current' };
  const months: MonthsQuery[] = [
    monthsWithin(40, random),
    { start_month: '0001-01', end_month: '0001-02' },
    { start_month: '2024-12', end_month: 'current' },
    { ...now, end_month: '2025-08' },
    { start_month: '9999-12', end_month: '9999-12' },
  ];
  const envelopes: CategoryMonthsQuery[] = [
    { ...monthsWithin(12, random), include_hidden: true },
    { ...monthsWithin(4, random), category_id },
    { ...now, include_hidden: false },
    { start_month: '9000-01', end_month: '9000-01', include_hidden: true },
  ];
  const balances: BalancesQuery[] = [
    daysWithin(40, random),
    { ...daysWithin(400, random), interval: 'week' },
    { ...daysWithin(1000, random), interval: 'month' },
    { ...daysWithin(60, random), interval: 'day', account_id },
    { ...daysWithin(900, random), interval: 'month', account_id },
    { start_date: HISTORY_TODAY, end_date: HISTORY_TODAY, account_id },
  ];
  // A budget out of reach answers 404 to one question of each kind as to all.
  const asked = answers.position(budget) === null ? 1 : undefined;
  return [
    ...months
      .slice(0, asked)
      .map(query => ['/months', query, answers.months(budget, query)] as const),
    ...envelopes
      .slice(0, asked)
      .map(query => ['/category-months', query, answers.categoryMonths(budget, query)] as const),
    ...balances
      .slice(0, asked)
      .map(query => ['/balances', query, answers.balances(budget, query)] as const),
  ];
}

function monthsWithin(max: number, random: Random): MonthsQuery {
  const start = random.between(FIRST_MONTH, LAST_MONTH);
  const end = start + random.below(max);
  return { start_month: monthText(start), end_month: monthText(end) };
}

function daysWithin(max: number, random: Random): { start_date: string; end_date: string } {
  const start = random.below(DAYS);
  const dateAt = (day: number) => new Date(FIRST_DAY_MS + day * DAY_MS).toISOString().slice(0, 10);
  return { start_date: dateAt(start), end_date: dateAt(start + random.below(max)) };
}
