// The events of the worked example of months.md, without carry-over.
import type { Draft } from '../histories/row-actions.ts';
import { account, category, group, row } from './scene.ts';

export const spend = (id: string, date: string, categoryId: string | null, amount: string): Draft =>
  row(id, { date, categoryId, amount });

export const assign = (month: string, categoryId: string, amount: string): Draft => ({
  type: 'envelope.assigned',
  data: { month, categoryId, amount },
});

/** The accounts, groups and categories of the example. */
export const SETTING: readonly Draft[] = [
  account('home', true),
  group('wages', 'income'),
  group('needs', 'envelope'),
  group('direct', 'unfunded'),
  category('wage', 'wages'),
  category('food', 'needs'),
  category('rent', 'needs'),
];

export const MONTHS: readonly Draft[] = [
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
];
