// `changed` and tombstones, where an event changes less than it could, or deletes again what was deleted before.
import type { TransactionEntered } from '../../../schemas/generated/events.ts';
import type { Draft } from '../../histories/row-actions.ts';
import { label, payee, row, transfer } from '../../model/scene.ts';
import { type EventCase, ROW_1, tombstone, totals } from './event-case.ts';

/** Row-1 as the furniture has it, but for the given fields. */
function rewrite(changes: Partial<TransactionEntered> = {}): Draft {
  const same = { categoryId: 'food', payeeId: 'shop', labelIds: ['red', 'blue'] };
  return { ...row('row-1', { ...same, ...changes }), type: 'transaction.changed' } as Draft;
}

const PAYEE_DELETED: Draft = { type: 'payee.deleted', data: { payeeId: 'mall' } };
const ROW_DELETED: Draft = { type: 'transaction.deleted', data: { transactionId: 'row-1' } };

const SAME_AGAIN: readonly Draft[] = [
  { type: 'account.renamed', data: { accountId: 'home', name: 'home' } },
  { type: 'account.type-changed', data: { accountId: 'home', type: 'checking' } },
  { type: 'account.reopened', data: { accountId: 'home' } },
  { type: 'category-group.renamed', data: { groupId: 'needs', name: 'needs' } },
  { type: 'category-group.shown', data: { groupId: 'needs' } },
  { type: 'category.renamed', data: { categoryId: 'food', name: 'food' } },
  { type: 'category.noted', data: { categoryId: 'food', note: null } },
  { type: 'category.moved', data: { categoryId: 'food', groupId: 'needs' } },
  { type: 'payee.renamed', data: { payeeId: 'shop', name: 'shop' } },
  { type: 'label.renamed', data: { labelId: 'red', name: 'red' } },
  { type: 'transaction.uncleared', data: { transactionIds: ['row-1'] } },
  rewrite(),
  rewrite({ labelIds: ['blue', 'red'] }),
];

export const CHANGED_CASES: readonly EventCase[] = [
  ...SAME_AGAIN.map(
    (when, index): EventCase => ({
      title: `${when.type}: what is said again changes nothing (${index + 1})`,
      when,
      changes: {},
    }),
  ),
  {
    title: 'category.hidden twice: it changed the first time',
    given: [{ type: 'category.hidden', data: { categoryId: 'food' } }],
    when: { type: 'category.hidden', data: { categoryId: 'food' } },
    changes: {},
  },
  {
    title: 'transaction.changed: a memo alone changes no account',
    when: rewrite({ memo: 'Note' }),
    changes: {
      'rows row-1': { changed: 19, memo: 'Note' },
      'memoBlocks 0': { text: 'ASBQBCZnote' },
    },
  },
  {
    title: 'transaction.changed: payee and labels alone change no account',
    when: rewrite({ payeeId: 'mall', labelIds: ['red'] }),
    changes: {
      'monthSums 2024-03/0': {
        payees: { '0mall': totals(-100) },
        labels: { '0red': totals(-100) },
      },
      'rows row-1': {
        changed: 19,
        payeeId: 'mall',
        payeeName: 'mall',
        labels: [{ id: 'red', name: 'red' }],
      },
    },
  },
  {
    title: 'transaction.cleared by list: rows that were cleared before did not change',
    given: [
      row('row-2', { accountId: 'cash', cleared: true, amount: '0.00' }),
      row('row-3', { accountId: 'cash', amount: '0.00' }),
    ],
    when: { type: 'transaction.cleared', data: { transactionIds: ['row-2', 'row-3'] } },
    changes: {
      'rows row-3': { changed: 21, cleared: true },
      // Which of its rows are cleared is part of an account, whatever they add up to.
      'accounts cash': { changed: 21 },
    },
  },
  {
    title: 'payee.added: the tombstone of an earlier one stays',
    given: [PAYEE_DELETED],
    when: { type: 'payee.added', data: { payeeId: 'mall', name: 'Again' } },
    changes: { 'payees mall': { changed: 20, entry: 20, name: 'Again', nameKey: 'again' } },
  },
  {
    title: 'payee.deleted a second time: its tombstone moves on',
    given: [PAYEE_DELETED, payee('mall')],
    when: PAYEE_DELETED,
    changes: { 'payees mall': null, 'tombstones payee/mall': { changed: 21 } },
  },
  {
    title: 'payee.deleted: a label of the same id is another thing',
    given: [label('mall'), { type: 'label.deleted', data: { labelId: 'mall' } }],
    when: PAYEE_DELETED,
    changes: { 'payees mall': null, ...tombstone('payee', 'mall', 21) },
  },
  {
    title: 'transaction.deleted a second time: its tombstone moves on',
    given: [ROW_DELETED, row('row-1', { accountId: 'cash', amount: '0.00' })],
    when: ROW_DELETED,
    changes: {
      'rows row-1': null,
      'tombstones transaction/row-1': { changed: 21 },
      'accounts cash': { changed: 21, count: 0, lastDate: null },
      'accountDays cash/2024': null,
      'accountMonths cash': null,
      'monthSums 2024-03/0': null,
      'years 2024': null,
      head: { lastDate: null },
    },
  },
  {
    title: 'account.deleted: the account of the other leg did not change',
    given: [transfer('out', ['home', 'house'], { amount: '0.00', categoryId: 'rent' })],
    when: { type: 'account.deleted', data: { accountId: 'house' } },
    changes: {
      'accounts house': null,
      ...tombstone('account', 'house', 20),
      'monthSums 2024-03/0': {
        accounts: { '0home': { count: 2, inflow: 0, outflow: -100 } },
        categories: { ...ROW_1.categories, '0rent': totals(0) },
        payees: { ...ROW_1.payees, '0': totals(0) },
        labels: { ...ROW_1.labels, '0': totals(0) },
      },
      'rows out': { changed: 20, type: 'standard', transferAccountId: null },
    },
  },
];
