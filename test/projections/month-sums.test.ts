// Sums by month equal those of the live rows by brute force; things that were made late have pages of their own.
import test from 'ava';
import {
  type MonthSums,
  ofTotalsKey,
  PAGE_ENTRIES,
  SUMMED_BY,
  type SummedBy,
  type Totals,
  totalsKey,
} from '../../projections/aggregates/month-sums.ts';
import type { Row } from '../../projections/documents.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { label, payee, row, steps } from '../model/scene.ts';
import { applyToMemory, createMemoryStore, documentsOf, type MemoryStore } from './memory-store.ts';
import { createStory, eventMaker, FURNISHED, SET } from './story.ts';

test('keys tell parts and things apart, and have no dot', t => {
  const keys = new Set<string>();
  for (const onBudget of [true, false]) {
    for (const isTransfer of [true, false]) {
      for (const id of [null, 'a', 'a.b', '..', '0', '__proto__', 'A:b~c_d-e', 'x'.repeat(128)]) {
        const key = totalsKey({ onBudget, isTransfer }, id);
        t.false(key.includes('.'), key);
        t.deepEqual(ofTotalsKey(key), { onBudget, isTransfer, id });
        keys.add(key);
      }
    }
  }
  t.is(keys.size, 32);
});

const IDS: Readonly<Record<SummedBy, (row: Row) => readonly (string | null)[]>> = {
  accounts: ({ accountId }) => [accountId],
  categories: ({ categoryId }) => [categoryId],
  payees: ({ payeeId }) => [payeeId],
  labels: ({ labels }) => (labels.length === 0 ? [null] : labels.map(({ id }) => id)),
};

/** By `month field key`: the totals of the rows. */
function byBruteForce(rows: readonly Row[]): Record<string, Totals> {
  const sums: Record<string, Totals> = {};
  for (const one of rows) {
    const part = { onBudget: one.onBudget, isTransfer: one.transferAccountId !== null };
    for (const by of SUMMED_BY) {
      for (const id of IDS[by](one)) {
        const key = `${one.date.slice(0, 7)} ${by} ${totalsKey(part, id)}`;
        const { count = 0, inflow = 0, outflow = 0 } = sums[key] ?? {};
        sums[key] = {
          count: count + 1,
          inflow: inflow + Math.max(one.amount, 0),
          outflow: outflow + Math.min(one.amount, 0),
        };
      }
    }
  }
  return sums;
}

/** The stored totals in the same form; a thing stands on one page alone. */
function stored(documents: readonly MonthSums[]): Record<string, Totals> {
  const sums: Record<string, Totals> = {};
  for (const document of documents) {
    const month = document.id.slice(0, 7);
    for (const by of SUMMED_BY) {
      for (const [key, totals] of Object.entries(document[by])) {
        const name = `${month} ${by} ${key}`;
        if (sums[name]) throw new Error(`Expected ${name} once`);
        sums[name] = totals;
      }
    }
  }
  return sums;
}

const setsOf = ({ heads }: MemoryStore) => [...heads.values()].flatMap(({ set }) => set ?? []);

test('sums by month are those of the live rows', t => {
  let checked = 0;
  for (let seed = 1; seed <= 12; seed += 1) {
    const store = createMemoryStore();
    const options = { seed, events: 700, budgets: 2, spaces: 1, users: 2, wildNames: true };
    const events = eventsOf(randomHistory({ ...options, invalidShare: seed % 4 === 0 ? 0.01 : 0 }));
    for (let from = 0; from < events.length; from += 90) {
      applyToMemory(store, events.slice(from, from + 90), from);
    }
    for (const set of setsOf(store)) {
      const expected = byBruteForce(documentsOf(store, 'rows', set));
      t.deepEqual(stored(documentsOf(store, 'monthSums', set)), expected, `seed ${seed}`);
      checked += Object.keys(expected).length;
    }
  }
  t.true(checked > 2000, `only ${checked} sums were checked`);
});

const MONTH = '2024-03';

test('things that were made late have their sums on a page of their own, and cascades move them', t => {
  const story = createStory();
  const eventOf = eventMaker('budget-1');
  const early = FURNISHED.map(draft => eventOf(draft));
  const between = steps(PAGE_ENTRIES).map(draft => eventOf(draft));
  const late = [
    payee('late'),
    label('late'),
    row('of-late', { payeeId: 'late', labelIds: ['late', 'red'] }),
  ];
  const { store } = story;
  applyToMemory(store, [...early, ...between], 0);
  applyToMemory(
    store,
    late.map(draft => eventOf(draft)),
    early.length + between.length,
  );
  const pages = () =>
    documentsOf(store, 'monthSums', SET)
      .map(({ id, payees, labels }) => `${id} ${Object.keys(payees)} ${Object.keys(labels)}`)
      .sort();
  const all = () => documentsOf(store, 'rows', SET);
  const sums = () => stored(documentsOf(store, 'monthSums', SET));
  t.deepEqual(pages(), [`${MONTH}/0 0shop 0blue,0red`, `${MONTH}/1 0late 0late`]);
  t.deepEqual(sums(), byBruteForce(all()));
  let offset = early.length + between.length + late.length;
  const tell = (draft: Parameters<typeof eventOf>[0]) => {
    applyToMemory(store, [eventOf(draft)], offset);
    offset += 1;
    t.is(store.heads.get('budget-1')?.held, null, draft.type);
    t.deepEqual(sums(), byBruteForce(all()), draft.type);
  };
  tell({ type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'late' } });
  t.deepEqual(pages(), [`${MONTH}/0  0blue,0red`, `${MONTH}/1 0late 0late`]);
  tell({ type: 'label.deleted', data: { labelId: 'late' } });
  // An id that is made again is a new thing.
  tell(label('late'));
  tell({ type: 'payee.merged', data: { payeeId: 'late', intoPayeeId: 'mall' } });
  t.deepEqual(pages(), [`${MONTH}/0 0mall 0blue,0red`]);
  tell({ type: 'transaction.deleted', data: { transactionId: 'of-late' } });
  tell({ type: 'account.deleted', data: { accountId: 'home' } });
  t.deepEqual(pages(), []);
});
