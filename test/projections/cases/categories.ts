// Category groups and categories: the changes of each event (docs/events.md).
import { category, group } from '../../model/scene.ts';
import { type EventCase, month, tombstone, totals } from './event-case.ts';

const GROUP_CASES: readonly EventCase[] = [
  {
    title: 'category-group.added creates an empty group',
    when: {
      type: 'category-group.added',
      data: { groupId: 'fun', name: 'FUN', budgetMode: 'unfunded', position: 2 },
    },
    changes: {
      'groups fun': {
        changed: 19,
        name: 'FUN',
        nameKey: 'fun',
        hidden: false,
        budgetMode: 'unfunded',
        position: 2,
        size: 0,
      },
    },
  },
  {
    title: 'category-group.renamed changes the name',
    when: { type: 'category-group.renamed', data: { groupId: 'needs', name: 'Must' } },
    changes: { 'groups needs': { changed: 19, name: 'Must', nameKey: 'must' } },
  },
  {
    title: 'category-group.moved changes the position',
    when: { type: 'category-group.moved', data: { groupId: 'needs', position: 0 } },
    changes: { 'groups needs': { position: 0 } },
  },
  {
    title: 'category-group.hidden hides the group',
    when: { type: 'category-group.hidden', data: { groupId: 'needs' } },
    changes: { 'groups needs': { changed: 19, hidden: true } },
  },
  {
    title: 'category-group.hidden accepts a hidden group',
    given: [{ type: 'category-group.hidden', data: { groupId: 'needs' } }],
    when: { type: 'category-group.hidden', data: { groupId: 'needs' } },
    changes: {},
  },
  {
    title: 'category-group.shown shows the group',
    given: [{ type: 'category-group.hidden', data: { groupId: 'needs' } }],
    when: { type: 'category-group.shown', data: { groupId: 'needs' } },
    changes: { 'groups needs': { changed: 20, hidden: false } },
  },
  {
    title: 'category-group.deleted deletes an empty group',
    when: { type: 'category-group.deleted', data: { groupId: 'empty' } },
    changes: { 'groups empty': null, ...tombstone('categoryGroup', 'empty', 19) },
  },
  {
    title: 'category-group.deleted deletes a group that is empty again',
    given: [
      category('only', 'empty'),
      { type: 'category.deleted', data: { categoryId: 'only', replacementCategoryId: null } },
    ],
    when: { type: 'category-group.deleted', data: { groupId: 'empty' } },
    changes: { 'groups empty': null, ...tombstone('categoryGroup', 'empty', 21) },
  },
];

const FOOD_SPENT = { '2024-03': { assigned: 0, spent: -100, count: 1 } };

export const CATEGORY_CASES: readonly EventCase[] = [
  ...GROUP_CASES,
  {
    title: 'category.added takes the mode of its group, which counts one category more',
    when: {
      type: 'category.added',
      data: { categoryId: 'gift', groupId: 'wages', name: 'Gift', note: 'rare', position: 1 },
    },
    changes: {
      'categories gift': {
        changed: 19,
        entry: 19,
        groupId: 'wages',
        budgetMode: 'income',
        name: 'Gift',
        nameKey: 'gift',
        hidden: false,
        note: 'rare',
        position: 1,
      },
      'groups wages': { size: 2 },
    },
  },
  {
    title: 'category.renamed changes the name in its rows too',
    when: { type: 'category.renamed', data: { categoryId: 'food', name: 'Eat' } },
    changes: {
      'categories food': { changed: 19, name: 'Eat', nameKey: 'eat' },
      'rows row-1': { changed: 19, categoryName: 'Eat' },
    },
  },
  {
    title: 'category.noted changes the note',
    when: { type: 'category.noted', data: { categoryId: 'food', note: 'less' } },
    changes: { 'categories food': { changed: 19, note: 'less' } },
  },
  {
    title: 'category.noted with null removes the note',
    given: [{ type: 'category.noted', data: { categoryId: 'food', note: 'less' } }],
    when: { type: 'category.noted', data: { categoryId: 'food', note: null } },
    changes: { 'categories food': { changed: 20, note: null } },
  },
  {
    title: 'category.hidden hides the category, which still counts',
    when: { type: 'category.hidden', data: { categoryId: 'food' } },
    changes: { 'categories food': { changed: 19, hidden: true } },
  },
  {
    title: 'category.shown shows the category',
    given: [{ type: 'category.hidden', data: { categoryId: 'food' } }],
    when: { type: 'category.shown', data: { categoryId: 'food' } },
    changes: { 'categories food': { changed: 20, hidden: false } },
  },
  {
    title: 'category.moved changes the position within the group',
    when: {
      type: 'category.moved',
      data: { categoryId: 'food', groupId: 'needs', position: 4 },
    },
    changes: { 'categories food': { position: 4 } },
  },
  {
    title: 'category.moved to a group of the same mode, without a position, puts the category last',
    given: [
      {
        type: 'category.moved',
        data: { categoryId: 'food', groupId: 'needs', position: 4 },
      },
    ],
    when: { type: 'category.moved', data: { categoryId: 'food', groupId: 'empty' } },
    changes: {
      'categories food': { changed: 20, groupId: 'empty', position: null },
      'groups needs': { size: 1 },
      'groups empty': { size: 1 },
    },
  },
  {
    title: 'category.moved to a group of another mode recomputes all months of the category',
    when: { type: 'category.moved', data: { categoryId: 'food', groupId: 'wages' } },
    changes: {
      'categories food': { changed: 19, groupId: 'wages', budgetMode: 'income' },
      'groups needs': { size: 1 },
      'groups wages': { size: 2 },
      'years 2024': { months: { '03': month({ income: -100, cash: -100, days: { '01': 1 } }) } },
    },
  },
  {
    title:
      'category.deleted with null leaves its rows uncategorized and drops its assigned amounts',
    given: [
      { type: 'envelope.assigned', data: { month: '2024-01', categoryId: 'food', amount: '5.00' } },
      {
        type: 'envelope.carryover-set',
        data: { month: '2024-02', categoryId: 'food', carriesOver: true },
      },
    ],
    when: { type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: null } },
    changes: {
      'categories food': null,
      ...tombstone('category', 'food', 21),
      'categoryMonths food': null,
      'groups needs': { size: 1 },
      'monthSums 2024-03/0': { categories: { '0': totals(-100) } },
      'rows row-1': { changed: 21, categoryId: null, categoryName: null },
      'years 2024': {
        months: {
          '03': month({
            cash: -100,
            uncategorized: -100,
            uncategorizedCount: 1,
            days: { '01': 1 },
          }),
        },
      },
      head: { absolute: 100 },
    },
  },
  {
    title: 'category.deleted with a replacement moves its rows and assigned amounts there',
    given: [
      { type: 'envelope.assigned', data: { month: '2024-01', categoryId: 'food', amount: '5.00' } },
      {
        type: 'envelope.assigned',
        data: { month: '2024-01', categoryId: 'rent', amount: '-2.00' },
      },
      {
        type: 'envelope.carryover-set',
        data: { month: '2024-02', categoryId: 'food', carriesOver: true },
      },
    ],
    when: { type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: 'rent' } },
    changes: {
      'categories food': null,
      ...tombstone('category', 'food', 22),
      'categoryMonths food': null,
      'categoryMonths rent': {
        cells: { '2024-01': { assigned: 300, spent: 0, count: 0 }, ...FOOD_SPENT },
      },
      'groups needs': { size: 1 },
      'monthSums 2024-03/0': { categories: { '0rent': totals(-100) } },
      'rows row-1': { changed: 22, categoryId: 'rent', categoryName: 'rent' },
      // Before the event, rent alone was overspent by 2.00 in January.
      'years 2024': {
        months: {
          '01': month({ assigned: 300 }),
          '03': month({ cash: -100, days: { '01': 1 } }),
        },
      },
      head: { absolute: 400 },
    },
  },
  {
    title: 'category.deleted accepts a replacement in a group of another mode',
    when: { type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: 'tax' } },
    changes: {
      'categories food': null,
      ...tombstone('category', 'food', 19),
      'categoryMonths food': null,
      'categoryMonths tax': { cells: FOOD_SPENT, carry: {} },
      'groups needs': { size: 1 },
      'monthSums 2024-03/0': { categories: { '0tax': totals(-100) } },
      'rows row-1': { changed: 19, categoryId: 'tax', categoryName: 'tax' },
      'years 2024': { months: { '03': month({ income: -100, cash: -100, days: { '01': 1 } }) } },
    },
  },
  {
    title: 'category-group.added accepts the id of a deleted group, with another mode',
    given: [{ type: 'category-group.deleted', data: { groupId: 'empty' } }],
    when: group('empty', 'income'),
    changes: {
      'groups empty': {
        changed: 20,
        name: 'empty',
        nameKey: 'empty',
        hidden: false,
        budgetMode: 'income',
        position: null,
        size: 0,
      },
    },
  },
];
