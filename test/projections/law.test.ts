// The sums of a budget's documents agree, and each one that does not is named.
import test from 'ava';
import { lawViolations } from '../../projections/law.ts';
import { row } from '../model/scene.ts';
import { documentsOf } from './memory-store.ts';
import { createStory, FURNISHED, SET } from './story.ts';

test('sums by month that do not add up to rows and cash are named', t => {
  const { store } = createStory([...FURNISHED, row('off', { accountId: 'house' })]);
  const documents = {
    accounts: documentsOf(store, 'accounts', SET),
    categories: documentsOf(store, 'categories', SET),
    categoryMonths: documentsOf(store, 'categoryMonths', SET),
    years: documentsOf(store, 'years', SET),
    monthSums: documentsOf(store, 'monthSums', SET),
  };
  t.deepEqual(lawViolations(documents), []);
  const [sums] = documents.monthSums;
  if (!sums) throw new Error('Expected the sums of a month');
  const altered = (more: object) =>
    lawViolations({ ...documents, monthSums: [{ ...sums, ...more }] });
  t.deepEqual(altered({ payees: { '0shop': { count: 1, inflow: 1, outflow: -100 } } }), [
    'rows of 2024-03 are 2, by payees 1',
    'cash of 2024-03 by payees should be -1.00, is -0.99',
  ]);
  t.deepEqual(altered({ id: '2024-04/0' }).length, 12);
  t.is(lawViolations({ ...documents, monthSums: [] }).length, 6);
});
