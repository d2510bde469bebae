// Budgets themselves: the changes of each event (docs/events.md).
import { timeOf } from '../../model/scene.ts';
import type { EventCase } from './event-case.ts';

export const BUDGET_CASES: readonly EventCase[] = [
  {
    title: 'budget.renamed changes the name',
    when: { type: 'budget.renamed', data: { name: 'THEIRS' } },
    changes: { head: { name: 'THEIRS', nameKey: 'theirs' } },
  },
  {
    title: 'budget.archived sets archivedAt to the time of the event',
    when: { type: 'budget.archived', data: { successorBudgetId: 'budget-2' } },
    changes: { head: { archivedAt: timeOf(19) } },
  },
  {
    title: 'budget.archived keeps the first time of an archived budget',
    given: [{ type: 'budget.archived', data: { successorBudgetId: 'budget-2' } }],
    when: { type: 'budget.archived', data: { successorBudgetId: null } },
    changes: {},
  },
];
