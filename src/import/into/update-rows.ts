// Brings transactions up to date.
import type { Row } from '../../../projections/documents.ts';
import { transactionOf, typeOf } from '../import-events.ts';
import type { NameIds } from '../name-ids.ts';
import type { BudgetPlan, PlannedRow } from '../plan.ts';
import type { Changes } from './changes.ts';

/** Transactions that one event may mark (rules/events.md#value-grammar). */
const MARKED_MAX = 1000;

type Mark = 'cleared' | 'uncleared' | 'reconciled';

export function updateRows({ rows }: BudgetPlan, changes: Changes, labels: NameIds): void {
  const { documents, set, add } = changes;
  const wanted = new Set(rows.map(({ id }) => id));
  for (const { id: transactionId, date } of documents.all('rows', set)) {
    if (wanted.has(transactionId)) continue;
    add(`the transaction ${transactionId} of ${date}`, 'transaction.deleted', { transactionId });
  }
  const marked: Record<Mark, string[]> = { uncleared: [], cleared: [], reconciled: [] };
  for (const row of rows) {
    const before = documents.get('rows', set, row.id);
    if (!before) continue;
    const mark = isSameButMarks(before, row, labels) ? markOf(before, row) : null;
    if (mark === null) add(row.origin, 'transaction.changed', transactionOf(row, labels));
    else if (mark !== 'none') marked[mark].push(row.id);
  }
  for (const mark of ['uncleared', 'cleared', 'reconciled'] as const) {
    for (const transactionIds of parts(marked[mark])) {
      add(`transactions ${mark}`, `transaction.${mark}`, { transactionIds });
    }
  }
  for (const row of rows) {
    if (documents.get('rows', set, row.id)) continue;
    add(row.origin, 'transaction.entered', transactionOf(row, labels));
  }
}

function isSameButMarks(before: Row, after: PlannedRow, labels: NameIds): boolean {
  return (
    before.date === after.date &&
    before.accountId === after.accountId &&
    before.payeeId === after.payeeId &&
    before.categoryId === after.categoryId &&
    before.memo === (after.memo ?? '') &&
    before.amount === after.amount &&
    before.type === typeOf(after) &&
    before.transferAccountId === after.transferAccountId &&
    before.splitGroupId === after.splitGroupId &&
    hasLabels(before, after, labels)
  );
}

function hasLabels({ labels }: Row, { labels: names, origin }: PlannedRow, ids: NameIds): boolean {
  if (labels.length !== names.length) return false;
  return names.every(name => labels.some(({ id }) => id === ids.idOf(name, origin)));
}

/** Returns the event that changes the marks alone, `none` where they are the same; null where no such event does it. */
function markOf(before: Row, after: PlannedRow): Mark | 'none' | null {
  if (before.cleared === after.cleared && before.reconciled === after.reconciled) return 'none';
  if (after.reconciled) return after.cleared ? 'reconciled' : null;
  if (!after.cleared) return 'uncleared';
  return before.reconciled ? null : 'cleared';
}

function* parts(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += MARKED_MAX)
    yield ids.slice(from, from + MARKED_MAX);
}
