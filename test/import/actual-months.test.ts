// Amounts of months that Actual does not compute are in no figure of Actual, and in none of ours.
import test from 'ava';
import { planActual } from '../../src/import/actual/plan-actual.ts';
import { actualFiles, type Rows } from './actual-files.ts';
import { imported } from './imported.ts';

const PLANS: Rows = {
  accounts: [{ id: 'bank', name: 'Bank' }],
  category_groups: [
    { id: 'income', name: 'Income', is_income: 1 },
    { id: 'daily', name: 'Daily' },
  ],
  categories: [
    { id: 'pay', name: 'Pay', is_income: 1, cat_group: 'income' },
    { id: 'food', name: 'Food', cat_group: 'daily' },
  ],
  zero_budgets: [
    { id: '202401-food', month: 202401, category: 'food', amount: 30_000, carryover: 1 },
    { id: '202509-food', month: 202509, category: 'food', amount: 700, carryover: 1 },
    { id: '202601-food', month: 202601, category: 'food', amount: 10_000, carryover: 1 },
  ],
  zero_budget_months: [
    { id: '2024-02', buffered: 5_000 },
    { id: '2024-03', buffered: 0 },
  ],
};
const INCOME = { acct: 'bank', category: 'pay', isChild: 0, tombstone: 0 };
const JANUARY = [
  { ...INCOME, id: 'a', amount: 100_000, date: 20260115 },
  { ...INCOME, id: 'b', amount: 50_000, date: 20260110 },
];
/** A day in the month of the rows. */
const TODAY = '2026-01-20';

function noteOf(amounts: string, month: string): string {
  return `${amounts} assigned or held before ${month}: left out, as in Actual, whose months begin three before the earliest transaction or today`;
}

async function planOf(transactions: Rows[string], today = TODAY) {
  const { database, metadata } = await actualFiles({ ...PLANS, transactions });
  return planActual(database, metadata, today);
}

/** Returns the months with an assigned amount. */
async function assignedIn(transactions: Rows[string], today = TODAY): Promise<string[]> {
  return (await planOf(transactions, today)).assigned.map(({ month }) => month);
}

test('amounts from before the months of Actual count nowhere, and a note says how many', async t => {
  const plan = await planOf(JANUARY);
  t.is(plan.notes[0], noteOf('3 amounts', '2025-10'));
  t.deepEqual(plan.holds, []);
  t.deepEqual(
    plan.carryOvers.map(({ month, carriesOver }) => [month, carriesOver]),
    [['2026-01', true]],
  );
  // As Actual's own engine computes from such a file.
  const month = (await imported(t, plan)).month('2026-01');
  t.like(month, { readyToAssign: '1400.00', assigned: '100.00', heldForNextMonth: '0.00' });
});

test('the months begin three before the earliest transaction, even a deleted one, but no leg', async t => {
  const older = { ...INCOME, id: 'older', amount: 1, date: 20251231 };
  t.deepEqual(await assignedIn([...JANUARY, older]), ['2025-09', '2026-01']);
  t.deepEqual(await assignedIn([...JANUARY, { ...older, tombstone: 1 }]), ['2025-09', '2026-01']);
  t.deepEqual(await assignedIn([...JANUARY, { ...older, tombstone: 1, date: null }]), ['2026-01']);
  const leg = { ...older, isChild: 1, parent_id: 'a' };
  t.deepEqual(await assignedIn([...JANUARY, leg]), ['2026-01']);
  const plan = await planOf([...JANUARY, { ...older, date: 20240415 }]);
  t.false(plan.notes.some(note => note.includes('assigned or held')));
  t.deepEqual(
    plan.holds.map(({ month }) => month),
    ['2024-02'],
  );
});

test('the months begin three before today where every transaction is later, or there is none', async t => {
  t.deepEqual(await assignedIn(JANUARY, '2025-12-01'), ['2025-09', '2026-01']);
  t.deepEqual(await assignedIn([], '2025-12-31'), ['2025-09', '2026-01']);
  const plan = await planOf([], '2026-01-01');
  t.deepEqual(
    plan.assigned.map(({ month }) => month),
    ['2026-01'],
  );
  t.is(plan.notes[0], noteOf('3 amounts', '2025-10'));
  t.is((await planOf([], '2026-12-31')).notes[0], noteOf('4 amounts', '2026-09'));
});
