// Transactions: the changes of each event to the row and to all sums over it (docs/events.md).
import type { Draft } from '../../histories/row-actions.ts';
import { row, transfer } from '../../model/scene.ts';
import {
  type EventCase,
  MARCH,
  month,
  NO_START,
  newRow,
  ROW_1,
  tombstone,
  totals,
} from './event-case.ts';

const DAYS_AFTER_MARK = { count: 1, cleared: -100, uncleared: 0, native: 0 };

/** Marking row-1 moves its amount between cleared and uncleared. */
const MARKED = {
  'accounts home': { changed: 19, cleared: -100, uncleared: 0 },
  'accountDays home/2024': { months: { '03': { '01': DAYS_AFTER_MARK } } },
  'accountMonths home': { months: { '2024-03': { ...DAYS_AFTER_MARK, last: 1 } } },
};

const BACK = { count: 1, cleared: 0, uncleared: -100, native: 0 };
const row1 = { transactionIds: ['row-1'] };

function changed(draft: Draft): Draft {
  return { ...draft, type: 'transaction.changed' } as Draft;
}

export const TRANSACTION_CASES: readonly EventCase[] = [
  {
    title: 'transaction.entered creates a row with its names, and adds it to every sum',
    when: row('new', {
      date: '2023-12-31',
      accountId: 'dollars',
      payeeId: 'mall',
      categoryId: 'wage',
      memo: ' As Entered ',
      amount: '90.00',
      amountNative: '100.00',
      exchangeRate: 0.9,
      cleared: true,
      reconciled: true,
      splitGroupId: 'split-1',
      labelIds: ['red'],
    }),
    changes: {
      'rows new': newRow(19, {
        date: '2023-12-31',
        accountId: 'dollars',
        accountName: 'dollars',
        payeeId: 'mall',
        payeeName: 'mall',
        categoryId: 'wage',
        categoryName: 'wage',
        memo: ' As Entered ',
        amount: 9000,
        amountNative: 10000,
        exchangeRate: 0.9,
        currency: 'USD',
        cleared: true,
        reconciled: true,
        splitGroupId: 'split-1',
        labels: [{ id: 'red', name: 'red' }],
      }),
      'accounts dollars': {
        changed: 19,
        count: 1,
        cleared: 9000,
        native: 10000,
        nativeAbsolute: 10000,
        lastDate: '2023-12-31',
      },
      'accountDays dollars/2023': {
        months: { '12': { '31': { count: 1, cleared: 9000, uncleared: 0, native: 10000 } } },
      },
      'accountMonths dollars': {
        months: { '2023-12': { count: 1, cleared: 9000, uncleared: 0, native: 10000, last: 31 } },
      },
      'categoryMonths wage': {
        cells: { '2023-12': { assigned: 0, spent: 9000, count: 1 } },
        carry: {},
      },
      'years 2023': {
        count: 1,
        start: NO_START,
        months: { '12': month({ income: 9000, cash: 9000, days: { '31': 1 } }) },
      },
      'years 2024': { start: { ...NO_START, income: 9000, cash: 9000 } },
      'monthSums 2023-12/0': {
        accounts: { '0dollars': totals(9000) },
        categories: { '0wage': totals(9000) },
        payees: { '0mall': totals(9000) },
        labels: { '0red': totals(9000) },
      },
      'memoBlocks 0': { text: 'ATBQBAQ as entered ' },
      head: { absolute: 9100 },
    },
  },
  {
    title:
      'transaction.entered off budget enters no month, and counts in its category nevertheless',
    when: row('new', { date: '2024-03-05', accountId: 'house', categoryId: 'rent' }),
    changes: {
      'rows new': newRow(19, {
        date: '2024-03-05',
        accountId: 'house',
        accountName: 'house',
        categoryId: 'rent',
        categoryName: 'rent',
        onBudget: false,
      }),
      'accounts house': { changed: 19, count: 1, uncleared: -100, lastDate: '2024-03-05' },
      'accountDays house/2024': { months: { '03': { '05': BACK } } },
      'accountMonths house': { months: { '2024-03': { ...BACK, last: 5 } } },
      'categoryMonths rent': {
        cells: { '2024-03': { assigned: 0, spent: 0, count: 1 } },
        carry: {},
      },
      'monthSums 2024-03/0': {
        accounts: { ...ROW_1.accounts, '2house': totals(-100) },
        categories: { ...ROW_1.categories, '2rent': totals(-100) },
        payees: { ...ROW_1.payees, '2': totals(-100) },
        labels: { ...ROW_1.labels, '2': totals(-100) },
      },
      'years 2024': { count: 2, months: { '03': { ...MARCH, days: { '01': 1, '05': 1 } } } },
      head: { lastDate: '2024-03-05', absolute: 200 },
    },
  },
  {
    title: 'transaction.changed replaces the whole row except entry and createdAt',
    when: changed(transfer('row-1', ['cash', 'home'], { date: '2024-02-29', amount: '2.50' })),
    changes: {
      'rows row-1': {
        changed: 19,
        date: '2024-02-29',
        accountId: 'cash',
        accountName: 'cash',
        payeeId: null,
        payeeName: null,
        categoryId: null,
        categoryName: null,
        amount: 250,
        type: 'transfer',
        transferAccountId: 'home',
        labels: [],
        internal: true,
      },
      'accounts home': { changed: 19, count: 0, uncleared: 0, lastDate: null },
      'accounts cash': { changed: 19, count: 1, uncleared: 250, lastDate: '2024-02-29' },
      'accountDays home/2024': null,
      'accountMonths home': null,
      'accountDays cash/2024': { months: { '02': { '29': { ...BACK, uncleared: 250 } } } },
      'accountMonths cash': { months: { '2024-02': { ...BACK, uncleared: 250, last: 29 } } },
      'categoryMonths food': null,
      'monthSums 2024-03/0': null,
      'monthSums 2024-02/0': {
        accounts: { '1cash': totals(250) },
        categories: { '1': totals(250) },
        payees: { '1': totals(250) },
        labels: { '1': totals(250) },
      },
      'years 2024': { months: { '02': month({ cash: 250, internal: 250, days: { '29': 1 } }) } },
      head: { lastDate: '2024-02-29', absolute: 250 },
    },
  },
  {
    title: 'transaction.deleted deletes the row',
    when: { type: 'transaction.deleted', data: { transactionId: 'row-1' } },
    changes: {
      'rows row-1': null,
      ...tombstone('transaction', 'row-1', 19),
      'accounts home': { changed: 19, count: 0, uncleared: 0, lastDate: null },
      'accountDays home/2024': null,
      'accountMonths home': null,
      'categoryMonths food': null,
      'monthSums 2024-03/0': null,
      'years 2024': null,
      head: { lastDate: null, absolute: 0 },
    },
  },
  {
    title: 'transaction.cleared clears the row',
    when: { type: 'transaction.cleared', data: row1 },
    changes: { 'rows row-1': { changed: 19, cleared: true }, ...MARKED },
  },
  {
    title: 'transaction.reconciled clears the row too',
    when: { type: 'transaction.reconciled', data: row1 },
    changes: { 'rows row-1': { changed: 19, cleared: true, reconciled: true }, ...MARKED },
  },
  {
    title: 'transaction.cleared leaves reconciled unchanged',
    given: [{ type: 'transaction.reconciled', data: row1 }],
    when: { type: 'transaction.cleared', data: row1 },
    changes: {},
  },
  {
    title: 'transaction.uncleared resets cleared and reconciled',
    given: [{ type: 'transaction.reconciled', data: row1 }],
    when: { type: 'transaction.uncleared', data: row1 },
    changes: {
      'rows row-1': { changed: 20, cleared: false, reconciled: false },
      'accounts home': { changed: 20, cleared: 0, uncleared: -100 },
      'accountDays home/2024': { months: { '03': { '01': BACK } } },
      'accountMonths home': { months: { '2024-03': { ...BACK, last: 1 } } },
    },
  },
  {
    title: 'transaction.entered accepts a row on a closed account',
    given: [{ type: 'account.closed', data: { accountId: 'cash' } }],
    when: row('new', { accountId: 'cash', amount: '0.00' }),
    changes: {
      'rows new': newRow(20, { accountId: 'cash', accountName: 'cash', amount: 0 }),
      'accounts cash': { changed: 20, count: 1, lastDate: '2024-03-01' },
      'accountDays cash/2024': { months: { '03': { '01': { ...BACK, uncleared: 0 } } } },
      'accountMonths cash': { months: { '2024-03': { ...BACK, uncleared: 0, last: 1 } } },
      'monthSums 2024-03/0': {
        accounts: { ...ROW_1.accounts, '0cash': totals(0) },
        categories: { ...ROW_1.categories, '0': totals(0) },
        payees: { ...ROW_1.payees, '0': totals(0) },
        labels: { ...ROW_1.labels, '0': totals(0) },
      },
      'years 2024': {
        count: 2,
        months: { '03': { ...MARCH, uncategorizedCount: 1, days: { '01': 2 } } },
      },
    },
  },
];
