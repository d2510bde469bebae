// Every reason to refuse an event, once: it parks the stream for this reason and changes nothing.
import test from 'ava';
import type { Draft } from '../histories/row-actions.ts';
import { REFUSALS, type Refusal } from './refusal.ts';
import {
  account,
  category,
  createScene,
  furnish,
  group,
  label,
  payee,
  row,
  type Scene,
  transfer,
} from './scene.ts';
import type { LogEvent } from './stream.ts';

const MONEY_MAX = '22517998136852.48';

type Case = readonly [title: string, refusal: Refusal, draft: Draft];

const CASES: readonly Case[] = [
  [
    'budget.created twice',
    'created-twice',
    { type: 'budget.created', data: { spaceId: 'space-1', name: 'x', currency: 'EUR' } },
  ],
  [
    'a space event before space.created',
    'before-created',
    { type: 'space.renamed', data: { name: 'x' } },
  ],
  [
    'an unknown account',
    'unknown-account',
    { type: 'account.closed', data: { accountId: 'nowhere' } },
  ],
  ['a row on an unknown account', 'unknown-account', row('new', { accountId: 'nowhere' })],
  ['a transfer with an unknown account', 'unknown-account', transfer('new', ['home', 'nowhere'])],
  [
    'an unknown category',
    'unknown-category',
    { type: 'category.noted', data: { categoryId: 'none', note: null } },
  ],
  ['a row with an unknown category', 'unknown-category', row('new', { categoryId: 'none' })],
  [
    'an unknown category is assigned to',
    'unknown-category',
    { type: 'envelope.assigned', data: { month: '2024-01', categoryId: 'none', amount: '1.00' } },
  ],
  [
    'an unknown category carries over',
    'unknown-category',
    {
      type: 'envelope.carryover-set',
      data: { month: '2024-01', categoryId: 'none', carriesOver: true },
    },
  ],
  [
    'an unknown replacement',
    'unknown-category',
    { type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: 'none' } },
  ],
  [
    'an unknown group',
    'unknown-group',
    { type: 'category-group.hidden', data: { groupId: 'none' } },
  ],
  [
    'a category moved to an unknown group',
    'unknown-group',
    { type: 'category.moved', data: { categoryId: 'food', groupId: 'none' } },
  ],
  ['an unknown payee', 'unknown-payee', { type: 'payee.deleted', data: { payeeId: 'none' } }],
  [
    'a payee merged into an unknown one',
    'unknown-payee',
    { type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'none' } },
  ],
  ['a row with an unknown payee', 'unknown-payee', row('new', { payeeId: 'none' })],
  [
    'an unknown label',
    'unknown-label',
    { type: 'label.renamed', data: { labelId: 'none', name: 'x' } },
  ],
  ['a row with an unknown label', 'unknown-label', row('new', { labelIds: ['red', 'none'] })],
  [
    'an unknown transaction',
    'unknown-transaction',
    { type: 'transaction.deleted', data: { transactionId: 'none' } },
  ],
  [
    'one unknown row of many, which changes none of them',
    'unknown-transaction',
    { type: 'transaction.reconciled', data: { transactionIds: ['row-1', 'none'] } },
  ],
  ['an account made twice', 'account-exists', account('home', true)],
  ['a group made twice', 'group-exists', group('needs', 'income')],
  ['a category made twice', 'category-exists', category('food', 'needs')],
  ['a payee made twice', 'payee-exists', payee('shop')],
  ['a label made twice', 'label-exists', label('red')],
  ['a transaction made twice', 'transaction-exists', row('row-1')],
  [
    'a group deleted with categories in it',
    'group-not-empty',
    { type: 'category-group.deleted', data: { groupId: 'needs' } },
  ],
  [
    'type transfer without transferAccountId',
    'transfer-type-mismatch',
    row('new', { type: 'transfer' }),
  ],
  [
    'transferAccountId without type transfer',
    'transfer-type-mismatch',
    row('new', { transferAccountId: 'cash' }),
  ],
  ['a transfer to its own account', 'transfer-to-itself', transfer('new', ['home', 'home'])],
  [
    'a category on a transfer between on-budget accounts',
    'category-on-transfer',
    transfer('new', ['home', 'cash'], { categoryId: 'food' }),
  ],
  [
    'a foreign account without native fields',
    'native-fields-mismatch',
    row('new', { accountId: 'dollars' }),
  ],
  [
    'a foreign account without exchange rate',
    'native-fields-mismatch',
    row('new', { accountId: 'dollars', amountNative: '1.00' }),
  ],
  [
    'native fields where the account has no currency',
    'native-fields-mismatch',
    row('new', { amountNative: '1.00', exchangeRate: 1 }),
  ],
  [
    'a category replaced by itself',
    'category-replaced-by-itself',
    { type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: 'food' } },
  ],
  [
    'a payee merged into itself',
    'payee-merged-into-itself',
    { type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'shop' } },
  ],
  ['the guard: rows', 'beyond-money-guard', row('new', { amount: `-${MONEY_MAX}` })],
  [
    'the guard: holds',
    'beyond-money-guard',
    { type: 'month.held', data: { month: '2024-01', amount: MONEY_MAX } },
  ],
  [
    'the guard: assigned outside envelope groups',
    'beyond-money-guard',
    {
      type: 'envelope.assigned',
      data: { month: '2024-01', categoryId: 'wage', amount: MONEY_MAX },
    },
  ],
];

function everythingOf({ answers }: Scene) {
  return [
    answers.budgets(),
    answers.accounts('budget-1'),
    answers.transactions('budget-1'),
    answers.categories('budget-1', { include_hidden: true }),
    answers.payees('budget-1'),
    answers.labels('budget-1'),
    answers.month('budget-1', '2024-03'),
    answers.position('budget-1'),
  ];
}

for (const [title, refusal, draft] of CASES) {
  test(`the model refuses: ${title}`, t => {
    const scene = furnish(createScene());
    const before = everythingOf(scene);
    const event = scene.eventOf('budget-1', draft);
    t.is(scene.model.deliver(event), 'held');
    t.deepEqual(scene.model.held(), [
      { subject: 'budget-1', since: event.time, refusal, eventId: event.id, waiting: 1 },
    ]);
    t.is(scene.answers.parkedSince('budget-1'), event.time);
    t.deepEqual(everythingOf(scene), before);
  });
}

test('any event before budget.created is invalid, even budget.deleted', t => {
  const { model, eventOf } = createScene();
  model.deliver(eventOf('budget-2', payee('shop')));
  model.deliver(eventOf('budget-3', { type: 'budget.deleted', data: {} }));
  t.deepEqual(
    model.held().map(held => held.refusal),
    ['before-created', 'before-created'],
  );
});

test('a second space.created is invalid', t => {
  const { model, eventOf } = createScene();
  model.deliver(eventOf('space-1', { type: 'space.created', data: { name: 'x' } }));
  t.is(model.held()[0]?.refusal, 'created-twice');
});

test('transaction.changed follows the rules of transaction.entered', t => {
  const scene = furnish(createScene());
  const changed = { ...transfer('row-1', ['home', 'cash'], { categoryId: 'food' }) } as Draft;
  scene.tell({ ...changed, type: 'transaction.changed' } as Draft);
  t.is(scene.model.held()[0]?.refusal, 'category-on-transfer');
});

const ENVELOPE_CASES: readonly (readonly [Refusal, Partial<LogEvent>, boolean])[] = [
  ['unknown-version', { schemaversion: 2 }, true],
  ['undecodable', {}, false],
  ['conflict', { sequence: 18, id: 'another' }, true],
];

for (const [refusal, changes, schemaValid] of ENVELOPE_CASES) {
  test(`a stream is parked for ${refusal}`, t => {
    const scene = furnish(createScene());
    const before = everythingOf(scene);
    const event = scene.eventOf('budget-1', payee('other'), changes);
    t.is(scene.model.deliver(event, { schemaValid }), 'held');
    t.is(scene.model.held()[0]?.refusal, refusal);
    t.deepEqual(everythingOf(scene), before);
  });
}

test('every reason has a case', t => {
  const covered = new Set<Refusal>([
    ...CASES.map(([, refusal]) => refusal),
    ...ENVELOPE_CASES.map(([refusal]) => refusal),
  ]);
  t.deepEqual(
    REFUSALS.filter(refusal => !covered.has(refusal)),
    [],
  );
});
