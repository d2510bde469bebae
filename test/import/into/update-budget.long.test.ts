// A budget that is brought up to date with a file equals a new import of the file, by the independent model.
import test from 'ava';
import { importEvents } from '../../../src/import/import-events.ts';
import { updateEvents } from '../../../src/import/into/update-budget.ts';
import type { BudgetPlan } from '../../../src/import/plan.ts';
import { createRandom } from '../../histories/random.ts';
import { TARGET } from '../imported.ts';
import { randomPlan } from './random-plans.ts';
import { projected, STAMP, served } from './served.ts';

for (const first of [1, 101, 201, 301]) {
  test(`A then B into it equals B alone, seeds ${first} to ${first + 99}`, t => {
    for (let seed = first; seed < first + 100; seed += 1) {
      const random = createRandom(seed);
      const before = randomPlan(random);
      const after = randomPlan(random, before);
      const fresh = importEvents(before, TARGET);
      const update = updateEvents(after, projected(fresh), STAMP);
      const all = [...fresh, ...update];
      t.deepEqual(served(all), served(importEvents(after, TARGET)), `seed ${seed}`);
      t.deepEqual(updateEvents(after, projected(all), STAMP), [], `again, seed ${seed}`);
    }
  });
}

function planOf(change: Partial<BudgetPlan> = {}): BudgetPlan {
  const nothing = { groups: [], payees: [], rows: [], assigned: [], carryOvers: [], holds: [] };
  const successors = { payees: new Map(), categories: new Map() };
  const account = {
    id: 'a1',
    name: 'Bank',
    type: 'checking',
    onBudget: true,
    closed: false,
  } as const;
  const accounts = [{ ...account, origin: 'a1' }];
  return {
    name: 'Ours',
    currency: 'EUR',
    ...nothing,
    successors,
    accounts,
    differences: [],
    notes: [],
    ...change,
  };
}

const ROW = {
  origin: 'line 1',
  date: '2026-03-01',
  accountId: 'a1',
  payeeId: null,
  categoryId: null,
  memo: null,
  amount: -1000,
  type: 'standard',
  transferAccountId: null,
  cleared: false,
  reconciled: false,
  splitGroupId: null,
  labels: [],
} as const;

test('statements that were reconciled meanwhile come as one event for a thousand transactions', t => {
  const rows = Array.from({ length: 1500 }, (_, index) => ({ ...ROW, id: `r${index}` }));
  const budget = projected(importEvents(planOf({ rows }), TARGET));
  const reconciled = rows.map(row => ({ ...row, cleared: true, reconciled: true }));
  const events = updateEvents(planOf({ rows: reconciled }), budget, STAMP).map(
    ({ event }) => event,
  );
  t.deepEqual(
    events.map(({ type }) => type),
    ['transaction.reconciled', 'transaction.reconciled'],
  );
});

test('a merged payee takes one event, however many rows it has', t => {
  const payee = (id: string) => ({ id, name: id, origin: id });
  const rows = Array.from({ length: 50 }, (_, index) => ({
    ...ROW,
    id: `r${index}`,
    payeeId: 'p1',
  }));
  const payees = [payee('p1'), payee('p2')];
  const budget = projected(importEvents(planOf({ payees, rows }), TARGET));
  const merged = planOf({
    payees: [payee('p2')],
    rows: rows.map(row => ({ ...row, payeeId: 'p2' })),
    successors: { payees: new Map([['p1', 'p2']]), categories: new Map() },
  });
  const events = updateEvents(merged, budget, STAMP).map(({ event }) => event);
  t.deepEqual(
    events.map(({ type, data }) => ({ type, data })),
    [{ type: 'payee.merged', data: { payeeId: 'p1', intoPayeeId: 'p2' } }],
  );
});

test('a file with less than half of the transactions is that of another budget', t => {
  const rows = Array.from({ length: 9 }, (_, index) => ({ ...ROW, id: `r${index}` }));
  const current = () => projected(importEvents(planOf({ rows }), TARGET));
  t.throws(() => updateEvents(planOf({ rows: rows.slice(0, 4) }), current(), STAMP), {
    message:
      'Expected an export of budget budget-1, with at least 50 % of its 9 transactions, got a file with 4 of them; nothing was appended',
  });
  t.is(updateEvents(planOf({ rows: rows.slice(0, 5) }), current(), STAMP).length, 4);
});

test('a held budget is not brought up to date', t => {
  const budget = projected(importEvents(planOf(), TARGET));
  const held = { since: TARGET.time, why: 'gap', reason: 'Expected 3, got 4', queued: 1 } as const;
  t.throws(() => updateEvents(planOf(), { ...budget, head: { ...budget.head, held } }, STAMP), {
    message: 'Budget budget-1 is held (Expected 3, got 4): see budgeting parked list',
  });
});
