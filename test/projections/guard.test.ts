// The money guard (rules/events.md#the-money-guard): exactly 2^51 hundredths are accepted, one more is not.
import test from 'ava';
import type { TransactionEntered } from '../../schemas/generated/events.ts';
import type { Draft } from '../histories/row-actions.ts';
import { account, category, group, row } from '../model/scene.ts';
import { CREATED, createStory } from './story.ts';

const GIVEN: readonly Draft[] = [
  CREATED,
  account('home', true),
  account('dollars', true, { currency: 'USD' }),
  account('yen', false, { currency: 'JPY' }),
  group('needs', 'envelope'),
  group('wages', 'income'),
  category('food', 'needs'),
  category('wage', 'wages'),
];
const MAX = 2 ** 51;
const MOST = '22517998136852.48';
const TOO_MUCH = `The amounts of the budget would add up to ${MAX + 1} hundredths, more than 2^51`;

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

test('rows, assigned amounts and holds count together, each with its absolute amount', t => {
  const story = createStory([
    ...GIVEN,
    row('big', { amount: '-22517998136849.48' }),
    assign('food', '-1.00'),
    assign('wage', '1.00'),
    hold('2024-01', '1.00'),
  ]);
  t.is(story.head().budget?.absolute, MAX);
  t.is(story.refuse(row('cent', { amount: '-0.01' })), TOO_MUCH);
});

const ONE_MORE: readonly (readonly [string, Draft])[] = [
  ['a row', row('cent', { amount: '0.01' })],
  ['a changed row', change('small', { amount: '-0.02' })],
  ['an assignment', assign('food', '0.01')],
  ['an assignment outside envelope groups', assign('wage', '-0.01')],
  ['a hold', hold('2025-07', '0.01')],
];

for (const [what, draft] of ONE_MORE) {
  test(`one hundredth too much is refused: ${what}`, t => {
    const rows = [row('big', { amount: '-22517998136852.47' }), row('small', { amount: '0.01' })];
    t.is(createStory([...GIVEN, ...rows]).refuse(draft), TOO_MUCH);
  });
}

test('replaced and removed amounts do not count any more', t => {
  const story = createStory([...GIVEN, row('big', { amount: MOST })]);
  story.tellAll(
    change('big', { amount: `-${MOST}` }),
    change('big', { amount: '-0.01' }),
    assign('food', '22517998136852.47'),
    assign('food', '-22517998136852.46'),
    hold('2024-01', '0.01'),
    hold('2024-01', '0.00'),
    assign('food', '22517998136852.47'),
    { type: 'transaction.deleted', data: { transactionId: 'big' } },
    assign('food', MOST),
    { type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: 'wage' } },
  );
  t.is(story.head().budget?.absolute, MAX);
  t.deepEqual(story.document('categoryMonths wage')?.cells, {
    '2024-01': { assigned: MAX, spent: 0, count: 0 },
  });
  story.tell({
    type: 'category.deleted',
    data: { categoryId: 'wage', replacementCategoryId: null },
  });
  t.is(story.head().budget?.absolute, 0);
});

const native = (id: string, amountNative: string, accountId = 'dollars'): Draft =>
  row(id, { accountId, amount: '0.01', amountNative, exchangeRate: 1 });

test('the guard holds for each account’s native amounts too', t => {
  const story = createStory([...GIVEN, native('big', `-${MOST}`), native('other', MOST, 'yen')]);
  t.is(story.document('accounts dollars')?.nativeAbsolute, MAX);
  const reason = `The native amounts of account dollars would add up to ${MAX + 1} hundredths, more than 2^51`;
  t.is(story.refuse(native('cent', '0.01')), reason);
});

test('the native amount of a row that moves to another account moves with it', t => {
  const story = createStory([...GIVEN, native('big', `-${MOST}`)]);
  const moved = native('big', MOST, 'yen');
  story.tellAll({ ...moved, type: 'transaction.changed' } as Draft, native('small', MOST));
  t.is(story.document('accounts yen')?.nativeAbsolute, MAX);
  t.is(story.document('accounts yen')?.native, MAX);
  story.tell({ type: 'transaction.deleted', data: { transactionId: 'big' } });
  t.is(story.document('accounts yen')?.nativeAbsolute, 0);
});
