// Accounts: what each event changes (events.md, Budgets).
import { account, row, timeOf, transfer } from '../../model/scene.ts';
import { type EventCase, month, tombstone } from './event-case.ts';

export const ACCOUNT_CASES: readonly EventCase[] = [
  {
    title: 'account.opened: an empty account, with the time of its event',
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
      'accounts card': {
        changed: 19,
        name: 'Kredit É',
        nameKey: 'kredit é',
        type: 'creditCard',
        currency: 'CHF',
        onBudget: false,
        closed: false,
        position: -7,
        createdAt: timeOf(19),
        count: 0,
        cleared: 0,
        uncleared: 0,
        native: 0,
        nativeAbsolute: 0,
        lastDate: null,
      },
    },
  },
  {
    title: 'account.renamed: its name in its rows too',
    given: [row('other', { accountId: 'cash', categoryId: 'food' })],
    when: { type: 'account.renamed', data: { accountId: 'home', name: 'GIRO' } },
    changes: {
      'accounts home': { changed: 20, name: 'GIRO', nameKey: 'giro' },
      'rows row-1': { changed: 20, accountName: 'GIRO' },
    },
  },
  {
    title: 'account.type-changed',
    when: { type: 'account.type-changed', data: { accountId: 'home', type: 'savings' } },
    changes: { 'accounts home': { changed: 19, type: 'savings' } },
  },
  {
    title: 'account.moved',
    when: { type: 'account.moved', data: { accountId: 'home', position: 3 } },
    changes: { 'accounts home': { position: 3 } },
  },
  {
    title: 'account.closed',
    when: { type: 'account.closed', data: { accountId: 'home' } },
    changes: { 'accounts home': { changed: 19, closed: true } },
  },
  {
    title: 'account.closed twice is no error',
    given: [{ type: 'account.closed', data: { accountId: 'home' } }],
    when: { type: 'account.closed', data: { accountId: 'home' } },
    changes: {},
  },
  {
    title: 'account.reopened',
    given: [{ type: 'account.closed', data: { accountId: 'home' } }],
    when: { type: 'account.reopened', data: { accountId: 'home' } },
    changes: { 'accounts home': { changed: 20, closed: false } },
  },
  {
    title: 'account.deleted: its transactions go with it, and all that was summed from them',
    when: { type: 'account.deleted', data: { accountId: 'home' } },
    changes: {
      'accounts home': null,
      ...tombstone('account', 'home', 19),
      'rows row-1': null,
      ...tombstone('transaction', 'row-1', 19),
      'accountDays home/2024': null,
      'accountMonths home': null,
      'categoryMonths food': null,
      'years 2024': null,
      head: { lastDate: null, absolute: 0 },
    },
  },
  {
    title: 'account.deleted: transfers of other accounts with it become standard rows',
    given: [transfer('out', 'home', 'cash'), transfer('in', 'cash', 'home', { amount: '1.00' })],
    when: { type: 'account.deleted', data: { accountId: 'cash' } },
    changes: {
      'accounts cash': null,
      ...tombstone('account', 'cash', 21),
      'rows in': null,
      ...tombstone('transaction', 'in', 21),
      'rows out': { changed: 21, type: 'standard', transferAccountId: null, internal: false },
      'accountDays cash/2024': null,
      'accountMonths cash': null,
      'years 2024': {
        count: 2,
        months: {
          '03': month({
            overspent: -100,
            overspentCount: 1,
            cash: -200,
            uncategorized: -100,
            uncategorizedCount: 1,
            days: { '01': 2 },
          }),
        },
      },
      head: { absolute: 200 },
    },
  },
  {
    title: 'account.opened: an id may be made again after its deletion',
    given: [{ type: 'account.deleted', data: { accountId: 'cash' } }],
    when: account('cash', false, 'USD'),
    changes: {
      'accounts cash': {
        changed: 20,
        name: 'cash',
        nameKey: 'cash',
        type: 'checking',
        currency: 'USD',
        onBudget: false,
        closed: false,
        position: null,
        createdAt: timeOf(20),
        count: 0,
        cleared: 0,
        uncleared: 0,
        native: 0,
        nativeAbsolute: 0,
        lastDate: null,
      },
    },
  },
];
