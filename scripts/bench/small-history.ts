// The history of a budget that a person tried out for a year: a small catalogue, then transactions.
import type { NewRecord } from '../../src/event-log/event-log.ts';
import { createRandom } from '../../src/process/random.ts';
import { stream } from './history.ts';
import { BENCH_USER } from './world.ts';

const ACCOUNTS = 2;
const CATEGORIES = 5;
const PAYEES = 5;
const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2024, 0, 1);
const DAYS = 365;

/** Yields events of a budget and of its space, together so many. */
export function* smallHistory(index: number, events: number): Generator<NewRecord> {
  const [spaceId, budgetId] = [`space-${index}`, `budget-${index}`];
  const space = stream(spaceId);
  const budget = stream(budgetId);
  yield space('space.created', { name: `Space ${index}` });
  yield space('space.member-added', { userId: BENCH_USER });
  yield budget('budget.created', { spaceId, name: `Budget ${index}`, currency: 'EUR' });
  for (let i = 0; i < ACCOUNTS; i += 1) {
    const account = { accountId: `account-${i}`, name: `Account ${i}`, position: i };
    const more = { type: 'checking', onBudget: true, currency: null } as const;
    yield budget('account.opened', { ...account, ...more });
  }
  for (const [position, budgetMode] of (['income', 'envelope'] as const).entries()) {
    const group = { groupId: `group-${position}`, name: `Group ${position}`, position };
    yield budget('category-group.added', { ...group, budgetMode });
  }
  for (let i = 0; i < CATEGORIES; i += 1) {
    const groupId = i === 0 ? 'group-0' : 'group-1';
    const category = { categoryId: `category-${i}`, groupId, name: `Category ${i}`, position: i };
    yield budget('category.added', category);
  }
  for (let i = 0; i < PAYEES; i += 1) {
    yield budget('payee.added', { payeeId: `payee-${i}`, name: `Shop number ${i}` });
  }
  const rows = events - CATALOGUE;
  const random = createRandom(index + 1);
  for (let i = 0; i < rows; i += 1) {
    const day = FIRST_DAY_MS + Math.floor((i * DAYS) / rows) * DAY_MS;
    yield budget('transaction.entered', {
      transactionId: `row-${i}`,
      date: new Date(day).toISOString().slice(0, 10),
      accountId: `account-${random.below(ACCOUNTS)}`,
      payeeId: `payee-${random.below(PAYEES)}`,
      categoryId: `category-${random.below(CATEGORIES)}`,
      memo: random.below(3) === 0 ? `Bought ${random.below(1000)} things` : '',
      amount: `-${1 + random.below(200)}.00`,
      type: 'standard',
      cleared: true,
      reconciled: false,
      labelIds: [],
    });
  }
}

/** Events before the first transaction: of the space, the budget, its two groups and the rest of its catalogue. */
const CATALOGUE = 2 + 1 + 2 + ACCOUNTS + CATEGORIES + PAYEES;
