// The guard on money: 2^51 hundredths (rules/events.md#the-money-guard).
import test from 'ava';
import type { Draft } from '../histories/row-actions.ts';
import { account, category, createScene, furnish, row } from './scene.ts';

const MONEY_MAX = '22517998136852.48';

test('the guard counts the native amounts of each account separately', t => {
  const scene = furnish(createScene());
  const dollars = { accountId: 'dollars', amount: '0.01', exchangeRate: 1 };
  t.is(scene.tell(row('a', { ...dollars, amountNative: MONEY_MAX })), 'applied');
  t.is(scene.tell(row('b', { ...dollars, amountNative: '0.01' })), 'held');
  t.is(scene.model.held()[0]?.refusal, 'beyond-money-guard');
});

test('the guard allows exactly 2^51 hundredths, and counts a change only once', t => {
  const scene = createScene();
  scene.tell(account('home', true));
  t.is(scene.tell(row('a', { amount: `-${MONEY_MAX}` })), 'applied');
  const changed = { ...row('a', { amount: MONEY_MAX }), type: 'transaction.changed' } as Draft;
  t.is(scene.tell(changed), 'applied');
  t.is(scene.tell({ type: 'month.held', data: { month: '2024-01', amount: '0.01' } }), 'held');
});

test('the guard does not count deleted and replaced amounts', t => {
  const scene = furnish(createScene());
  const assign = (categoryId: string, amount: string) =>
    scene.tell({ type: 'envelope.assigned', data: { month: '2024-01', categoryId, amount } });
  t.is(assign('food', '-22517998136851.48'), 'applied');
  t.is(assign('food', '22517998136851.48'), 'applied');
  scene.tell({
    type: 'category.deleted',
    data: { categoryId: 'food', replacementCategoryId: null },
  });
  scene.tell(category('food', 'needs'));
  t.is(assign('rent', '22517998136851.48'), 'applied');
  t.is(scene.tell(row('one-too-many', { amount: '-0.01' })), 'held');
  t.is(scene.model.held()[0]?.refusal, 'beyond-money-guard');
});
