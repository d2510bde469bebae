// Delivers a plan to the independent model of the specification, so that a file becomes answers of the API.
import type { ExecutionContext } from 'ava';
import { checkLines, parseLines } from '../../src/event-log/check-append.ts';
import { importEvents, type Target } from '../../src/import/import-events.ts';
import type { BudgetPlan } from '../../src/import/plan.ts';
import { createModel } from '../model/model.ts';
import type { LogEvent } from '../model/stream.ts';

export const BUDGET = 'budget-1';
export const TARGET: Target = {
  budgetId: BUDGET,
  name: 'Ours',
  currency: 'EUR',
  spaceId: 'space-1',
  newSpace: { name: 'Ours', memberId: 'anna' },
  source: '/budgeting/import/test',
  time: '2026-04-01T00:00:00.000Z',
};

/** Checks every event against its schema and against the events before it. */
export async function imported(t: ExecutionContext, plan: BudgetPlan) {
  const events = importEvents(plan, TARGET).map(({ event }) => event);
  const lines = events.map((event, index) => ({
    line: index + 1,
    bytes: Buffer.from(JSON.stringify(event)),
  }));
  const checked = checkLines(await parseLines(lines), new Map());
  t.deepEqual(checked.ok ? [] : checked.problems, []);
  const model = createModel();
  for (const event of events) {
    t.is(model.deliver(event as LogEvent), 'applied', JSON.stringify(event));
  }
  t.deepEqual(model.lawViolations(BUDGET), []);
  return { events, ...readerOf(model.answers('anna', { today: '2026-12-31' })) };
}

function readerOf(answers: ReturnType<ReturnType<typeof createModel>['answers']>) {
  const given = <T>(answer: T | null): T => {
    if (answer === null) throw new Error('Expected an answer, got 404');
    return answer;
  };
  return {
    accounts: () => given(answers.accounts(BUDGET)).accounts,
    groups: () => given(answers.categories(BUDGET, { include_hidden: true })).categoryGroups,
    /** Newest first. */
    rows: () => given(answers.transactions(BUDGET)).transactions,
    payees: () => given(answers.payees(BUDGET)).payees.map(({ name }) => name),
    labels: () => given(answers.labels(BUDGET)).labels.map(({ name }) => name),
    month: (month: string) => given(answers.month(BUDGET, month)),
    balances: () =>
      Object.fromEntries(
        given(answers.accounts(BUDGET)).accounts.map(({ name, balance }) => [name, balance]),
      ),
  };
}
