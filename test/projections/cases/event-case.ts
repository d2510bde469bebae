// The form of a table of events and their effects.
import type { Totals } from '../../../projections/aggregates/month-sums.ts';
import type { Account, MonthIncrements, Row, ThingKind } from '../../../projections/documents.ts';
import type { Draft } from '../../histories/row-actions.ts';
import { timeOf } from '../../model/scene.ts';
import type { Changed } from '../story.ts';

/** One effect of one event on the furnished budget of story.ts. */
export interface EventCase {
  readonly title: string;
  readonly given?: readonly Draft[];
  readonly when: Draft;
  readonly changes: Changed;
}

/** Returns the increments of a month: zeros except for the given fields. */
export function month(fields: Partial<MonthIncrements>): MonthIncrements {
  return {
    income: 0,
    assigned: 0,
    overspent: 0,
    overspentCount: 0,
    cash: 0,
    internal: 0,
    uncategorized: 0,
    uncategorizedCount: 0,
    held: 0,
    days: {},
    ...fields,
  };
}

/** That of row-1. */
export const MARCH = month({ overspent: -100, overspentCount: 1, cash: -100, days: { '01': 1 } });

export const NO_START = {
  income: 0,
  assigned: 0,
  overspent: 0,
  cash: 0,
  internal: 0,
  uncategorized: 0,
};

/** The totals of one row. */
export function totals(amount: number): Totals {
  return { count: 1, inflow: Math.max(amount, 0), outflow: Math.min(amount, 0) };
}

/** The totals of row-1, as the only row of each thing that it names. */
export const ROW_1 = {
  accounts: { '0home': totals(-100) },
  categories: { '0food': totals(-100) },
  payees: { '0shop': totals(-100) },
  labels: { '0blue': totals(-100), '0red': totals(-100) },
};

/** What a deletion leaves of a thing. */
export function tombstone(kind: ThingKind, thingId: string, changed: number): Changed {
  return { [`tombstones ${kind}/${thingId}`]: { kind, thingId, changed } };
}

/** The stored row of an event at a sequence: like an uncategorized row-1, except for the given fields. */
export function newRow(sequence: number, fields: Partial<Row>): Partial<Row> {
  return {
    changed: sequence,
    entry: sequence,
    date: '2024-03-01',
    payeeId: null,
    payeeName: null,
    categoryId: null,
    categoryName: null,
    memo: '',
    amount: -100,
    amountNative: null,
    exchangeRate: null,
    currency: null,
    type: 'standard',
    cleared: false,
    reconciled: false,
    transferAccountId: null,
    splitGroupId: null,
    labels: [],
    createdAt: timeOf(sequence),
    onBudget: true,
    internal: false,
    ...fields,
  };
}

/** A new account off budget, opened by the event at a sequence. */
export function newAccount(sequence: number, fields: Partial<Account>): Partial<Account> {
  return {
    changed: sequence,
    entry: sequence,
    onBudget: false,
    closed: false,
    createdAt: timeOf(sequence),
    count: 0,
    cleared: 0,
    uncleared: 0,
    native: 0,
    nativeAbsolute: 0,
    lastDate: null,
    ...fields,
  };
}
