// The events of rules/months.md#worked-example, without carry-over.
import type { Draft } from '../histories/row-actions.ts';
import { account, category, group, row } from './scene.ts';

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
  row('t1', { date: '2024-01-31', categoryId: 'wage', amount: '2000.00' }),
  assign('2024-01', 'food', '300.00'),
  assign('2024-01', 'rent', '500.00'),
  { type: 'month.held', data: { month: '2024-01', amount: '200.00' } },
  row('t2', { date: '2024-01-15', categoryId: 'food', amount: '-345.00' }),
  row('t3', { date: '2024-01-02', categoryId: 'rent', amount: '-500.00' }),
  row('t4', { date: '2024-02-01', categoryId: 'wage', amount: '1000.00' }),
  assign('2024-02', 'food', '300.00'),
  assign('2024-02', 'rent', '500.00'),
  row('t5', { date: '2024-02-10', categoryId: 'food', amount: '-100.00' }),
  row('t6', { date: '2024-02-10', categoryId: 'rent', amount: '-500.00' }),
  row('t7', { date: '2024-02-29', categoryId: null, amount: '-15.00' }),
];
