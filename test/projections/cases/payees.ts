// Payees and labels: the changes of each event (docs/events.md).
import { label, payee, row } from '../../model/scene.ts';
import { type EventCase, tombstone, totals } from './event-case.ts';

export const PAYEE_CASES: readonly EventCase[] = [
  {
    title: 'payee.added creates a payee',
    when: { type: 'payee.added', data: { payeeId: 'pub', name: 'The PUB' } },
    changes: { 'payees pub': { changed: 19, entry: 19, name: 'The PUB', nameKey: 'the pub' } },
  },
  {
    title: 'payee.renamed changes the name in its rows too',
    given: [row('other', { payeeId: 'mall', categoryId: 'food' })],
    when: { type: 'payee.renamed', data: { payeeId: 'shop', name: 'Corner' } },
    changes: {
      'payees shop': { changed: 20, name: 'Corner', nameKey: 'corner' },
      'rows row-1': { changed: 20, payeeName: 'Corner' },
    },
  },
  {
    title: 'payee.merged moves its rows to the other payee and deletes it',
    when: { type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'mall' } },
    changes: {
      'payees shop': null,
      ...tombstone('payee', 'shop', 19),
      'monthSums 2024-03/0': { payees: { '0mall': totals(-100) } },
      'rows row-1': { changed: 19, payeeId: 'mall', payeeName: 'mall' },
    },
  },
  {
    title: 'payee.deleted leaves its rows without payee',
    when: { type: 'payee.deleted', data: { payeeId: 'shop' } },
    changes: {
      'payees shop': null,
      ...tombstone('payee', 'shop', 19),
      'monthSums 2024-03/0': { payees: { '0': totals(-100) } },
      'rows row-1': { changed: 19, payeeId: null, payeeName: null },
    },
  },
  {
    title: 'payee.added accepts the id of a deleted payee',
    given: [{ type: 'payee.deleted', data: { payeeId: 'mall' } }],
    when: payee('mall'),
    changes: { 'payees mall': { changed: 20, entry: 20, name: 'mall', nameKey: 'mall' } },
  },
  {
    title: 'label.added creates a label',
    when: { type: 'label.added', data: { labelId: 'trip', name: 'Trip' } },
    changes: { 'labels trip': { changed: 19, entry: 19, name: 'Trip', nameKey: 'trip' } },
  },
  {
    title:
      'label.renamed changes the name in its rows too, which keep their labels in order of name key',
    when: { type: 'label.renamed', data: { labelId: 'red', name: 'Alpha' } },
    changes: {
      'labels red': { changed: 19, name: 'Alpha', nameKey: 'alpha' },
      'rows row-1': {
        changed: 19,
        labels: [
          { id: 'red', name: 'Alpha' },
          { id: 'blue', name: 'blue' },
        ],
      },
    },
  },
  {
    title: 'label.renamed leaves rows without the label unchanged',
    given: [row('plain', { categoryId: 'food' }), label('green')],
    when: { type: 'label.renamed', data: { labelId: 'green', name: 'lime' } },
    changes: { 'labels green': { changed: 21, name: 'lime', nameKey: 'lime' } },
  },
  {
    title: 'label.deleted removes the label from its rows',
    when: { type: 'label.deleted', data: { labelId: 'blue' } },
    changes: {
      'labels blue': null,
      ...tombstone('label', 'blue', 19),
      'monthSums 2024-03/0': { labels: { '0red': totals(-100) } },
      'rows row-1': { changed: 19, labels: [{ id: 'red', name: 'red' }] },
    },
  },
];
