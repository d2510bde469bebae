// Months in the projections: rules/months.md#worked-example, and changes to whole months.
import test from 'ava';
import { changeCell, editCells } from '../../projections/aggregates/category-cells.ts';
import type { Year } from '../../projections/documents.ts';
import { formatMoney } from '../../projections/money.ts';
import { reconcile } from '../../projections/reconcile.ts';
import { createWorkingSet } from '../../projections/working-set.ts';
import { type MonthFigures, monthFigures } from '../../src/store/reading/queries/month-figures.ts';
import type { Draft } from '../histories/row-actions.ts';
import { row } from '../model/scene.ts';
import { MONTHS, SETTING } from '../model/worked-example.ts';
import { documentsOf } from './memory-store.ts';
import { CREATED, createStory, SET, type Story } from './story.ts';

const carry = (month: string, carriesOver: boolean, categoryId = 'food'): Draft => ({
  type: 'envelope.carryover-set',
  data: { month, categoryId, carriesOver },
});

const EXAMPLE: readonly Draft[] = [CREATED, ...SETTING, ...MONTHS];

const OFF = {
  '2024-01': ['1000.00', '800.00', '1155.00', '45.00', 1, 0, '200.00'],
  '2024-02': ['1355.00', '800.00', '1540.00', '0.00', 0, 1, '0.00'],
};
const ON = {
  '2024-01': ['1000.00', '800.00', '1155.00', '0.00', 0, 0, '200.00'],
  '2024-02': ['1400.00', '800.00', '1540.00', '0.00', 0, 1, '0.00'],
};

/** R, ΣA, cash, overspent, its count, uncategorized and H of each stored month, as readers calculate them. */
function figures(story: Story): Record<string, readonly (string | number)[]> {
  const years = documentsOf(story.store, 'years', SET);
  const months = years.flatMap(year =>
    Object.keys(year.months).map(month => {
      const id = `${year.id}-${month}`;
      return [id, line(monthFigures(year, id))] as const;
    }),
  );
  return Object.fromEntries(months);
}

function line(of: MonthFigures): readonly (string | number)[] {
  return [
    formatMoney(of.readyToAssign),
    formatMoney(of.assigned),
    formatMoney(of.cashBalance),
    formatMoney(of.overspentTotal),
    of.overspentCount,
    of.uncategorizedCount,
    formatMoney(of.heldForNextMonth),
  ];
}

test('the worked example has the figures of rules/months.md#worked-example without carry-over', t => {
  t.deepEqual(figures(createStory(EXAMPLE)), OFF);
});

test('the worked example has the figures of rules/months.md#worked-example with carry-over for Food', t => {
  t.deepEqual(figures(createStory([...EXAMPLE, carry('2023-05', true)])), ON);
});

test('the worked example has the same figures with its events in reverse order', t => {
  const [setting, backwards] = [[CREATED, ...SETTING], MONTHS.toReversed()];
  t.deepEqual(figures(createStory([...setting, ...backwards])), OFF);
  t.deepEqual(figures(createStory([...setting, carry('2023-05', true), ...backwards])), ON);
});

test('carry-over ends in the month that switches it off, where a negative rest is overspent', t => {
  const story = createStory([...EXAMPLE, carry('2024-01', true), carry('2024-02', false)]);
  // Food: -45 is carried over; +300 -100 make it 155 in February.
  t.deepEqual(figures(story), ON);
  story.tell(carry('2024-02', true));
  story.tell(row('t8', { date: '2024-02-11', categoryId: 'food', amount: '-200.00' }));
  story.tell(carry('2024-04', false));
  t.deepEqual(figures(story)['2024-04'], ['1400.00', '0.00', '1340.00', '45.00', 1, 0, '0.00']);
});

test('each year begins with the sums of all earlier ones, and empty years are deleted', t => {
  const story = createStory([
    ...EXAMPLE,
    row('old', { date: '0001-01-01', categoryId: 'wage', amount: '7.00' }),
    row('far', { date: '9999-12-31', categoryId: null, amount: '-1.00' }),
  ]);
  const nothing = { income: 0, assigned: 0, overspent: 0, cash: 0, internal: 0, uncategorized: 0 };
  const old = { ...nothing, income: 700, cash: 700 };
  t.deepEqual(story.document('years 0001')?.start, nothing);
  t.deepEqual(story.document('years 2024')?.start, old);
  const until2024 = {
    income: 300_700,
    assigned: 160_000,
    overspent: -4_500,
    cash: 154_700,
    internal: 0,
    uncategorized: -1_500,
  };
  t.deepEqual(story.document('years 9999')?.start, until2024);
  story.tell({ type: 'transaction.deleted', data: { transactionId: 'old' } });
  t.is(story.document('years 0001'), undefined);
  t.deepEqual(story.document('years 2024')?.start, nothing);
  t.is((story.document('years 9999')?.start as Year['start'] | undefined)?.cash, 154_000);
});

test('the assigned amounts and flags of a category count again when it returns to the envelopes', t => {
  const story = createStory([...EXAMPLE, carry('2024-01', true)]);
  const before = story.document('years 2024');
  const move = (groupId: string): Draft => ({
    type: 'category.moved',
    data: { categoryId: 'food', groupId },
  });
  story.tell(move('direct'));
  // Its rows change Ready to Assign directly; its assigned amounts do not count.
  t.deepEqual(figures(story), {
    '2024-01': ['955.00', '500.00', '1155.00', '0.00', 0, 0, '200.00'],
    '2024-02': ['1555.00', '500.00', '1540.00', '0.00', 0, 1, '0.00'],
  });
  story.tell(move('wages'));
  t.is(figures(story)['2024-02']?.[0], '1555.00');
  story.tell(move('needs'));
  t.deepEqual(story.document('years 2024'), before);
});

test('category.deleted adds its months to the replacement, and makes them uncategorized without one', t => {
  const remove = (replacementCategoryId: string | null): Draft => ({
    type: 'category.deleted',
    data: { categoryId: 'food', replacementCategoryId },
  });
  t.deepEqual(figures(createStory([...EXAMPLE, remove('rent')])), {
    '2024-01': ['1000.00', '800.00', '1155.00', '45.00', 1, 0, '200.00'],
    '2024-02': ['1355.00', '800.00', '1540.00', '0.00', 0, 1, '0.00'],
  });
  t.deepEqual(figures(createStory([...EXAMPLE, carry('2024-01', true), remove('rent')])), OFF);
  t.deepEqual(figures(createStory([...EXAMPLE, remove(null)])), {
    '2024-01': ['1300.00', '500.00', '1155.00', '0.00', 0, 1, '200.00'],
    '2024-02': ['2000.00', '500.00', '1540.00', '0.00', 0, 2, '0.00'],
  });
});

test('an envelope that is changed and deleted in one chunk, after an earlier chunk changed it, leaves no months', t => {
  const documents = createWorkingSet();
  documents.provideNothing(SET);
  const food = {
    set: SET,
    id: 'food',
    groupId: 'g',
    budgetMode: 'envelope',
    name: 'Food',
  } as const;
  const more = { nameKey: 'food', hidden: false, note: null, position: null };
  const rest = { ...more, entry: 1, changed: 1 };
  const assign = (amount: number) =>
    changeCell(editCells(documents, SET, 'food'), '2024-03', cell => ({
      ...cell,
      assigned: amount,
    }));
  documents.put('categories', { ...food, ...rest });
  assign(100);
  reconcile(documents);
  t.is(documents.get('years', SET, '2024')?.months['03']?.assigned, 100);
  documents.markCommitted();
  // Changed in place: the loaded document changes too, and only the recorded change has the previous value.
  assign(250);
  documents.remove('categoryMonths', SET, 'food');
  reconcile(documents);
  t.is(documents.get('years', SET, '2024'), null);
});
