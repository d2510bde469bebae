// Budgets of import tests: as the read model has them, and as the independent model serves them.
import { isInvalid } from '../../../projections/change.ts';
import { newHead } from '../../../projections/new-head.ts';
import { isSpaceEvent, project } from '../../../projections/project.ts';
import { createWorkingSet } from '../../../projections/working-set.ts';
import type { ImportedEvent } from '../../../src/import/import-events.ts';
import type { CurrentBudget } from '../../../src/import/into/changes.ts';
import { createModel } from '../../model/model.ts';
import type { LogEvent } from '../../model/stream.ts';
import { BUDGET } from '../imported.ts';

export const STAMP = { source: '/test', time: '2026-05-01T00:00:00.000Z', run: 'run' };

/** Returns the budget after the events, as the read model would have it. */
export function projected(events: readonly ImportedEvent[]): CurrentBudget {
  const documents = createWorkingSet();
  let head = newHead(BUDGET, 0);
  for (const { event } of events) {
    if (isSpaceEvent(event)) continue;
    const after = project(documents, head, { event, newSet: 'set' });
    if (isInvalid(after)) throw new Error(after.invalid);
    head = after;
  }
  return { head, documents };
}

/** Returns everything that the API serves of the budget, without what tells the two ways apart. */
export function served(events: readonly ImportedEvent[]) {
  const model = createModel();
  for (const { event } of events) {
    const outcome = model.deliver(event as LogEvent);
    if (outcome !== 'applied') throw new Error(`${outcome}: ${JSON.stringify(event)}`);
  }
  const answers = model.answers('anna', { today: '2026-03-15' });
  const labels = answers.labels(BUDGET)?.labels ?? [];
  const months = { start_month: '2025-10', end_month: '2026-06' };
  const all = {
    accounts: answers.accounts(BUDGET),
    categories: answers.categories(BUDGET, { include_hidden: true }),
    payees: answers.payees(BUDGET),
    labels: labels.map(({ name }) => name),
    transactions: answers
      .transactions(BUDGET, { limit: 1000 })
      ?.transactions.sort((one, other) => (one.id < other.id ? -1 : 1)),
    months: answers.months(BUDGET, months),
    categoryMonths: answers.categoryMonths(BUDGET, months),
  };
  const labelIds = new Set(labels.map(({ id }) => id));
  const plain = (key: string, value: unknown) =>
    key === 'createdAt' || (key === 'id' && labelIds.has(String(value))) ? undefined : value;
  return JSON.parse(JSON.stringify(all, plain));
}
