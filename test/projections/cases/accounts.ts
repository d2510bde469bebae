// Accounts: the changes of each event (docs/events.md).
import { account, row, transfer } from '../../model/scene.ts';
import { type EventCase, MARCH, newAccount, ROW_1, tombstone, totals } from './event-case.ts';

export const ACCOUNT_CASES: readonly EventCase[] = [
  {
    title: 'account.opened creates an empty account with the time of its event',
    when: {
      type: 'account.opened',
      data: {
        accountId: 'card',
        name: 'Kredit É',
        type: 'creditCard',
        onBudget: false,
        currency: 'CHF',
        position: -7,
      },
    },
    changes: {
      'accounts card': newAccount(19, {
        name: 'Kredit É',
        nameKey: 'kredit é',
        type: 'creditCard',
        currency: 'CHF',
        position: -7,
      }),
    },
  },
  {
    title: 'account.renamed changes the name in its rows too',
    given: [row('other', { accountId: 'cash', categoryId: 'food' })],
    when: { type: 'account.renamed', data: { accountId: 'home', name: 'GIRO' } },
    changes: {
      'accounts home': { changed: 20, name: 'GIRO', nameKey: 'giro' },
      'rows row-1': { changed: 20, accountName: 'GIRO' },
    },
  },
  {
    title: 'account.type-changed changes the type',
    when: { type: 'account.type-changed', data: { accountId: 'home', type: 'savings' } },
    changes: { 'accounts home': { changed: 19, type: 'savings' } },
  },
  {
    title: 'account.moved changes the position',
    when: { type: 'account.moved', data: { accountId: 'home', position: 3 } },
    changes: { 'accounts home': { position: 3 } },
  },
  {
    title: 'account.closed closes the account',
    when: { type: 'account.closed', data: { accountId: 'home' } },
    changes: { 'accounts home': { changed: 19, closed: true } },
  },
  {
    title: 'account.closed accepts a closed account',
    given: [{ type: 'account.closed', data: { accountId: 'home' } }],
    when: { type: 'account.closed', data: { accountId: 'home' } },
    changes: {},
  },
  {
    title: 'account.reopened opens the account',
    given: [{ type: 'account.closed', data: { accountId: 'home' } }],
    when: { type: 'account.reopened', data: { accountId: 'home' } },
    changes: { 'accounts home': { changed: 20, closed: false } },
  },
  {
    title: 'account.deleted deletes its transactions and all sums over them',
    when: { type: 'account.deleted', data: { accountId: 'home' } },
    changes: {
      'accounts home': null,
      ...tombstone('account', 'home', 19),
      'rows row-1': null,
      ...tombstone('transaction', 'row-1', 19),
      'accountDays home/2024': null,
      'accountMonths home': null,
      'categoryMonths food': null,
      'monthSums 2024-03/0': null,
      'years 2024': null,
      head: { lastDate: null, absolute: 0 },
    },
  },
  {
    title: 'account.deleted makes transfers of other accounts with it standard rows',
    given: [
      transfer('out', ['home', 'cash']),
      transfer('in', ['cash', 'home'], { amount: '1.00' }),
    ],
    when: { type: 'account.deleted', data: { accountId: 'cash' } },
    changes: {
      'accounts cash': null,
      ...tombstone('account', 'cash', 21),
      'rows in': null,
      ...tombstone('transaction', 'in', 21),
      'rows out': { changed: 21, type: 'standard', transferAccountId: null, internal: false },
      'accountDays cash/2024': null,
      'accountMonths cash': null,
      // Before the event, both legs were transfers.
      'monthSums 2024-03/0': {
        accounts: { '0home': { count: 2, inflow: 0, outflow: -200 } },
        categories: { ...ROW_1.categories, '0': totals(-100) },
        payees: { ...ROW_1.payees, '0': totals(-100) },
        labels: { ...ROW_1.labels, '0': totals(-100) },
      },
      'years 2024': {
        count: 2,
        months: {
          '03': {
            ...MARCH,
            ...{ cash: -200, uncategorized: -100, uncategorizedCount: 1, days: { '01': 2 } },
          },
        },
      },
      head: { absolute: 200 },
    },
  },
  {
    title: 'account.opened accepts the id of a deleted account',
    given: [{ type: 'account.deleted', data: { accountId: 'cash' } }],
    when: account('cash', false, { currency: 'USD' }),
    changes: {
      'accounts cash': newAccount(20, {
        name: 'cash',
        nameKey: 'cash',
        type: 'checking',
        currency: 'USD',
        position: null,
      }),
    },
  },
];
