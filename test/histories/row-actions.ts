// Valid events of transactions.
import type {
  DomainEvent,
  EventEnvelope,
  TransactionEntered,
} from '../../schemas/generated/events.ts';
import { randomMemo } from './awkward-text.ts';
import { freshId, type LiveBudget, randomDate, randomMoney } from './live-budget.ts';
import type { Random } from './random.ts';

type DraftOf<E> = E extends EventEnvelope<infer T, infer D> ? { type: T; data: D } : never;

/** An event without its envelope. */
export type Draft = DraftOf<DomainEvent>;

/** Returns valid events and updates `live`; none if the budget has nothing that they could apply to. */
export type Action = (random: Random, live: LiveBudget) => Draft[];

/** Returns a complete, valid row of the account; fields that are not given are random. */
export function randomRow(
  random: Random,
  live: LiveBudget,
  fixed: Partial<TransactionEntered> & { accountId: string },
): TransactionEntered {
  const other = fixed.transferAccountId ?? null;
  const isInner =
    live.accounts.get(fixed.accountId)?.onBudget === true &&
    other !== null &&
    live.accounts.get(other)?.onBudget === true;
  const cleared = random.chance(0.6);
  const row: TransactionEntered = {
    transactionId: fixed.transactionId ?? freshId(random, live, 'transaction'),
    date: randomDate(random, live),
    amount: randomMoney(random, live, 'any'),
    type: other === null ? randomType(random) : 'transfer',
    cleared,
    reconciled: cleared && random.chance(0.2),
    ...optionalFields(random, live, isInner),
    ...nativeFields(random, live, fixed.accountId),
    ...fixed,
  };
  return row;
}

function randomType(random: Random): 'standard' | 'startingBalance' | 'reconciliation' {
  if (random.chance(0.9)) return 'standard';
  return random.chance(0.5) ? 'startingBalance' : 'reconciliation';
}

function optionalFields(random: Random, live: LiveBudget, isInner: boolean) {
  const memo = randomMemo(random, live.isWild);
  return {
    ...maybe(random, 'payeeId', random.chance(0.7) ? anyOf(random, live.payees) : null),
    ...maybe(
      random,
      'categoryId',
      !isInner && random.chance(0.85) ? anyOf(random, live.categories.keys()) : null,
    ),
    ...maybe(random, 'memo', memo === '' ? null : memo),
    ...maybe(
      random,
      'labelIds',
      random.chance(0.25) ? random.some(live.labels, random.below(4)) : null,
    ),
  };
}

/** Returns a field; without a value it is either null or absent, which mean the same. */
function maybe<K extends string, V>(random: Random, key: K, value: V | null) {
  if (value === null && random.chance(0.5)) return {};
  return { [key]: value } as { [key in K]: V | null };
}

function anyOf(random: Random, ids: Iterable<string>): string | null {
  return random.some(ids, 1)[0] ?? null;
}

function nativeFields(random: Random, live: LiveBudget, accountId: string) {
  if ((live.accounts.get(accountId)?.currency ?? null) === null) {
    return random.chance(0.8) ? {} : { amountNative: null, exchangeRate: null };
  }
  return {
    amountNative: randomMoney(random, live, 'any'),
    exchangeRate: random.pick([1, 1.0825, 0.0067, 1e-7, 123456.789, 0.1, 1e21, 7]),
  };
}

function enter(live: LiveBudget, row: TransactionEntered): Draft {
  live.rows.set(row.transactionId, row);
  return { type: 'transaction.entered', data: row };
}

const enterRow: Action = (random, live) => {
  const accountId = anyOf(random, live.accounts.keys());
  return accountId === null ? [] : [enter(live, randomRow(random, live, { accountId }))];
};

const enterSplit: Action = (random, live) => {
  const accountId = anyOf(random, live.accounts.keys());
  if (accountId === null) return [];
  const first = randomRow(random, live, { accountId });
  const splitGroupId = `split-${first.transactionId}`.slice(0, 128);
  const { date, cleared, reconciled } = first;
  return Array.from({ length: random.between(2, 4) }, (_, leg) =>
    enter(live, {
      ...(leg === 0 ? first : randomRow(random, live, { accountId, date, cleared, reconciled })),
      splitGroupId,
    }),
  );
};

const enterTransfer: Action = (random, live) => {
  const [from, to] = random.some(live.accounts.keys(), 2);
  if (from === undefined || to === undefined) return [];
  const amount = randomMoney(random, live, 'any');
  const opposite = amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
  const date = randomDate(random, live);
  const leg = (accountId: string, transferAccountId: string, money: string) =>
    enter(live, randomRow(random, live, { accountId, transferAccountId, date, amount: money }));
  const first = leg(from, to, amount);
  // A lone leg, or two that disagree, do not contradict anything (rules/readings.md#is-the-other-leg-of-a-transfer-checked).
  if (random.chance(0.08)) return [first];
  if (random.chance(0.08)) {
    const other = { accountId: to, transferAccountId: from };
    return [first, enter(live, randomRow(random, live, other))];
  }
  live.moneyTotal += BigInt(amount.replace(/[-.]/g, ''));
  return [first, leg(to, from, amount === '0.00' ? amount : opposite)];
};

const changeRow: Action = (random, live) => {
  const id = anyOf(random, live.rows.keys());
  const before = id === null ? undefined : live.rows.get(id);
  if (!before) return [];
  const isSmall = random.chance(0.5);
  const data = isSmall
    ? { ...before, amount: randomMoney(random, live, 'any'), date: randomDate(random, live) }
    : randomChange(random, live, before);
  live.rows.set(before.transactionId, data);
  return [{ type: 'transaction.changed', data }];
};

function randomChange(random: Random, live: LiveBudget, before: TransactionEntered) {
  const [accountId = before.accountId, other] = random.some(live.accounts.keys(), 2);
  const isTransfer = other !== undefined && random.chance(0.15);
  return randomRow(random, live, {
    transactionId: before.transactionId,
    accountId,
    ...(isTransfer ? { transferAccountId: other } : {}),
    ...maybe(random, 'splitGroupId', before.splitGroupId ?? null),
  });
}

const deleteRow: Action = (random, live) => {
  const transactionId = anyOf(random, live.rows.keys());
  if (transactionId === null) return [];
  live.rows.delete(transactionId);
  live.dead.transaction.add(transactionId);
  return [{ type: 'transaction.deleted', data: { transactionId } }];
};

const markRows: Action = (random, live) => {
  const transactionIds = random.some(live.rows.keys(), random.between(1, 20));
  if (transactionIds.length === 0) return [];
  const type = random.pick([
    'transaction.cleared',
    'transaction.uncleared',
    'transaction.reconciled',
  ] as const);
  for (const id of transactionIds) {
    const row = live.rows.get(id) as TransactionEntered;
    const cleared = type !== 'transaction.uncleared';
    const reconciled = type === 'transaction.reconciled' || (cleared && row.reconciled);
    live.rows.set(id, { ...row, cleared, reconciled });
  }
  return [{ type, data: { transactionIds } }];
};

/** The actions and their weights. */
export const ROW_ACTIONS: readonly (readonly [number, Action])[] = [
  [30, enterRow],
  [4, enterSplit],
  [9, enterTransfer],
  [9, changeRow],
  [4, deleteRow],
  [6, markRows],
];
