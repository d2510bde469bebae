// Where the money guard (rules/events.md#the-money-guard) refuses one event more, for the model and for the product.
import type { TransactionEntered } from '../../schemas/generated/events.ts';
import type { Draft } from '../histories/row-actions.ts';
import { account, category, group, row } from './scene.ts';

/** 2^51 hundredths. */
const MOST = '22517998136852.48';
const MOST_BUT_ONE_CENT = '22517998136852.47';
const MOST_BUT_ONE = '22517998136851.48';

/** What a new budget gets first. */
export const GUARDED: readonly Draft[] = [
  account('home', true),
  account('dollars', true, { currency: 'USD' }),
  account('yen', false, { currency: 'JPY' }),
  group('needs', 'envelope'),
  group('wages', 'income'),
  category('food', 'needs'),
  category('rent', 'needs'),
  category('wage', 'wages'),
];

interface GuardCase {
  readonly title: string;
  /** Brings the amounts to exactly 2^51 hundredths. */
  readonly given: readonly Draft[];
  readonly refused: Draft;
  /** The account whose native amounts reach the bound; without it those of the budget do. */
  readonly accountId?: string;
}

const assign = (categoryId: string, amount: string, month = '2024-01'): Draft => ({
  type: 'envelope.assigned',
  data: { month, categoryId, amount },
});
const hold = (month: string, amount: string): Draft => ({
  type: 'month.held',
  data: { month, amount },
});
const change = (id: string, changes: Partial<TransactionEntered>): Draft =>
  ({ ...row(id, changes), type: 'transaction.changed' }) as Draft;
const remove = (categoryId: string, replacementCategoryId: string | null): Draft => ({
  type: 'category.deleted',
  data: { categoryId, replacementCategoryId },
});
const native = (id: string, amountNative: string, accountId = 'dollars'): Draft =>
  row(id, { accountId, amount: '0.01', amountNative, exchangeRate: 1 });

/** In the end the category `wage` has all that is assigned. */
export const REPLACED: readonly Draft[] = [
  row('big', { amount: MOST }),
  change('big', { amount: `-${MOST}` }),
  change('big', { amount: '-0.01' }),
  assign('food', MOST_BUT_ONE_CENT),
  assign('food', '-22517998136852.46'),
  hold('2024-01', '0.01'),
  hold('2024-01', '0.00'),
  assign('food', MOST_BUT_ONE_CENT),
  { type: 'transaction.deleted', data: { transactionId: 'big' } },
  assign('food', MOST),
  remove('food', 'wage'),
];

/** In the end the row `big` is the only one on the account `yen`. */
export const MOVED: readonly Draft[] = [
  native('big', `-${MOST}`),
  { ...native('big', MOST, 'yen'), type: 'transaction.changed' } as Draft,
  native('small', MOST),
];

const ONE_MORE: Readonly<Record<string, Draft>> = {
  'a row': row('cent', { amount: '0.01' }),
  'a changed row': change('small', { amount: '-0.02' }),
  'an assignment': assign('food', '0.01'),
  'an assignment outside envelope groups': assign('wage', '-0.01'),
  'a hold': hold('2025-07', '0.01'),
};

export const GUARD_CASES: readonly GuardCase[] = [
  {
    title: 'rows, assigned amounts and holds count together, each with its absolute amount',
    given: [
      row('big', { amount: '-22517998136849.48' }),
      assign('food', '-1.00'),
      assign('wage', '1.00'),
      hold('2024-01', '1.00'),
    ],
    refused: row('cent', { amount: '-0.01' }),
  },
  ...Object.entries(ONE_MORE).map(([what, refused]) => ({
    title: `one hundredth too much is refused: ${what}`,
    given: [row('big', { amount: `-${MOST_BUT_ONE_CENT}` }), row('small', { amount: '0.01' })],
    refused,
  })),
  {
    title: 'a change counts only once',
    given: [row('big', { amount: `-${MOST}` }), change('big', { amount: MOST })],
    refused: hold('2024-01', '0.01'),
  },
  {
    title: 'replaced and removed amounts do not count any more',
    given: REPLACED,
    refused: row('cent', { amount: '0.01' }),
  },
  {
    title: 'amounts assigned to a deleted category do not count, also when its id comes again',
    given: [
      row('one', { amount: '-1.00', categoryId: 'food' }),
      assign('food', `-${MOST_BUT_ONE}`),
      assign('food', MOST_BUT_ONE),
      remove('food', null),
      category('food', 'needs'),
      assign('rent', MOST_BUT_ONE),
    ],
    refused: row('cent', { amount: '-0.01' }),
  },
  {
    title: 'the native amounts of each account count separately',
    given: [native('big', `-${MOST}`), native('other', MOST, 'yen')],
    refused: native('cent', '0.01'),
    accountId: 'dollars',
  },
  {
    title: 'the native amount of a row that moves to another account moves with it',
    given: MOVED,
    refused: native('cent', '0.01', 'yen'),
    accountId: 'yen',
  },
];
