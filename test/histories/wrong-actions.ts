// Events that the specification calls invalid, each wrong in exactly one way. They change nothing.
import type { TransactionEntered } from '../../schemas/generated/events.ts';
import { randomMonth } from './live-budget.ts';
import type { Random } from './random.ts';
import type { Draft } from './row-actions.ts';
import {
  invalidRow,
  invalidRowIn,
  oneOf,
  type Wrong,
  type WrongDraft,
  wrong,
} from './wrong-draft.ts';
import { WRONG_REFERENCES } from './wrong-references.ts';

const MONEY_MAX = '22517998136852.48';

const groupNotEmpty: Wrong = (random, live) => {
  const full = random.some(new Set(live.categories.values()), 1);
  return oneOf(
    random,
    'group-not-empty',
    full.map((groupId): Draft => ({ type: 'category-group.deleted', data: { groupId } })),
  );
};

const transferTypeMismatch: Wrong = (random, live) =>
  oneOf(random, 'transfer-type-mismatch', [
    ...invalidRow(random, live, () => ({ type: 'transfer' })),
    ...invalidRow(random, live, row => ({
      transferAccountId: [...live.accounts.keys()].find(id => id !== row.accountId) ?? null,
      type: live.accounts.size > 1 ? 'standard' : 'transfer',
      categoryId: null,
    })),
  ]);

const transferToItself: Wrong = (random, live) =>
  oneOf(
    random,
    'transfer-to-itself',
    invalidRow(random, live, ({ accountId }) => ({
      type: 'transfer',
      transferAccountId: accountId,
      categoryId: null,
    })),
  );

const categoryOnTransfer: Wrong = (random, live) => {
  const inner = [...live.accounts.keys()].filter(id => live.accounts.get(id)?.onBudget);
  const categoryId = random.some(live.categories.keys(), 1)[0];
  if (inner.length < 2 || categoryId === undefined) return null;
  const other = (accountId: string) => inner.find(id => id !== accountId) ?? null;
  const drafts = invalidRowIn(random, live, {
    accounts: inner,
    invalidate: ({ accountId }) => ({
      type: 'transfer',
      transferAccountId: other(accountId),
      categoryId,
    }),
  });
  return oneOf(random, 'category-on-transfer', drafts);
};

const nativeFieldsMismatch: Wrong = (random, live) => {
  const hasOwn = (id: string) => (live.accounts.get(id)?.currency ?? null) !== null;
  const foreign = [...live.accounts.keys()].filter(hasOwn);
  const domestic = [...live.accounts.keys()].filter(id => !hasOwn(id));
  const invalid = (accounts: string[], fields: Partial<TransactionEntered>) =>
    invalidRowIn(random, live, { accounts, invalidate: () => fields });
  return oneOf(random, 'native-fields-mismatch', [
    ...invalid(foreign, { amountNative: null, exchangeRate: null }),
    ...invalid(foreign, { amountNative: null }),
    ...invalid(foreign, { exchangeRate: null }),
    ...invalid(domestic, { amountNative: '1.00', exchangeRate: 1 }),
    ...invalid(domestic, { amountNative: '1.00' }),
    ...invalid(domestic, { exchangeRate: 1 }),
  ]);
};

const replacedByItself: Wrong = (random, live) =>
  oneOf(
    random,
    'category-replaced-by-itself',
    random.some(live.categories.keys(), 1).map(
      (categoryId): Draft => ({
        type: 'category.deleted',
        data: { categoryId, replacementCategoryId: categoryId },
      }),
    ),
  );

const mergedIntoItself: Wrong = (random, live) =>
  oneOf(
    random,
    'payee-merged-into-itself',
    random
      .some(live.payees, 1)
      .map((payeeId): Draft => ({ type: 'payee.merged', data: { payeeId, intoPayeeId: payeeId } })),
  );

const beyondGuard: Wrong = (random, live) => {
  const rows = [...live.rows.values()];
  if (!rows.some(row => row.amount !== '0.00')) return null;
  // This month has no assigned or held amount, so the event frees no money.
  const month = '7654-03';
  const full = new Set(
    rows.filter(row => (row.amountNative ?? '0.00') !== '0.00').map(row => row.accountId),
  );
  return oneOf(random, 'beyond-money-guard', [
    { type: 'month.held', data: { month, amount: MONEY_MAX } },
    ...random.some(live.categories.keys(), 1).map(
      (categoryId): Draft => ({
        type: 'envelope.assigned',
        data: { month, categoryId, amount: `-${MONEY_MAX}` },
      }),
    ),
    ...invalidRow(random, live, () => ({ amount: MONEY_MAX })),
    ...invalidRowIn(random, live, {
      accounts: [...full],
      invalidate: () => ({ amount: '0.01', amountNative: `-${MONEY_MAX}` }),
    }),
  ]);
};

const createdTwice: Wrong = () =>
  wrong('created-twice', {
    type: 'budget.created',
    data: { spaceId: 'space-1', name: 'again', currency: 'EUR' },
  });

const otherKindOfStream: Wrong = random =>
  oneOf(random, 'before-created', [
    { type: 'space.renamed', data: { name: 'x' } },
    { type: 'space.member-added', data: { userId: 'user-1' } },
  ]);

const schemaRefused: Wrong = (random, live) => {
  const refused = (draft: { type: string; data: unknown }): WrongDraft => ({
    ...draft,
    refusal: 'undecodable',
    isSchemaRefused: true,
  });
  const month = randomMonth(random, live);
  const hold = (amount: string) => refused({ type: 'month.held', data: { month, amount } });
  const ids = random.some(live.rows.keys(), 1);
  const labels = random.some(live.labels, 1);
  return random.pick([
    ...['-0.00', '007.00', '+1.00', '1', '1.0', '1.000', '-5.00', '1e2', ' 1.00'].map(hold),
    refused({ type: 'month.held', data: { month: '2025-13', amount: '1.00' } }),
    refused({ type: 'payee.added', data: { payeeId: 'p/1', name: 'x' } }),
    refused({ type: 'payee.added', data: { payeeId: 'p-new', name: '' } }),
    refused({ type: 'label.added', data: { name: 'x' } }),
    ...invalidRow(random, live, () => ({ reconciled: true, cleared: false })).map(refused),
    ...invalidRow(random, live, () => ({ date: '2023-02-29' })).map(refused),
    ...invalidRow(random, live, () => ({ labelIds: [...labels, ...labels] }))
      .filter(() => labels.length > 0)
      .map(refused),
    ...ids.map(id => refused({ type: 'transaction.cleared', data: { transactionIds: [id, id] } })),
    refused({ type: 'transaction.cleared', data: { transactionIds: [] } }),
  ]);
};

const unknownVersion: Wrong = () => ({
  ...wrong('unknown-version', { type: 'budget.renamed', data: { name: 'from the future' } }),
  schemaversion: 2,
});

const conflict: Wrong = () => ({
  ...wrong('conflict', { type: 'budget.renamed', data: { name: 'the other one' } }),
  isSequenceTaken: true,
});

export const WRONG_IN_BUDGET: readonly Wrong[] = [
  ...WRONG_REFERENCES,
  groupNotEmpty,
  transferTypeMismatch,
  transferToItself,
  categoryOnTransfer,
  nativeFieldsMismatch,
  replacedByItself,
  mergedIntoItself,
  beyondGuard,
  createdTwice,
  otherKindOfStream,
  schemaRefused,
  unknownVersion,
  conflict,
];

/** Returns an event that is invalid before `budget.created`. */
export function tooEarlyInBudget(random: Random): WrongDraft {
  return wrong(
    'before-created',
    random.pick<Draft>([
      { type: 'budget.renamed', data: { name: 'x' } },
      { type: 'budget.deleted', data: {} },
      { type: 'payee.added', data: { payeeId: 'p', name: 'x' } },
      { type: 'month.held', data: { month: '2025-01', amount: '1.00' } },
    ]),
  );
}

export const WRONG_IN_SPACE: readonly ((random: Random) => WrongDraft)[] = [
  () => wrong('created-twice', { type: 'space.created', data: { name: null } }),
  () => wrong('before-created', { type: 'budget.renamed', data: { name: 'x' } }),
  () => ({
    ...wrong('unknown-version', { type: 'space.renamed', data: { name: 'x' } }),
    schemaversion: 7,
  }),
  () => ({
    ...wrong('conflict', { type: 'space.renamed', data: { name: 'x' } }),
    isSequenceTaken: true,
  }),
  () => ({ refusal: 'undecodable', type: 'space.renamed', data: {}, isSchemaRefused: true }),
];

/** Returns an event that is invalid before `space.created`. */
export function tooEarlyInSpace(random: Random): WrongDraft {
  return wrong(
    'before-created',
    random.pick<Draft>([
      { type: 'space.renamed', data: { name: 'x' } },
      { type: 'space.member-added', data: { userId: 'user-1' } },
    ]),
  );
}
