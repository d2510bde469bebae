// Brings amounts up to date: transactions, and what months assign, carry over and hold.
import type { Row } from '../../../projections/documents.ts';
import { formatMoney } from '../../../projections/money.ts';
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

export function updateMonths(plan: BudgetPlan, changes: Changes): void {
  updateAssigned(plan, changes);
  updateCarryOvers(plan, changes);
  updateHolds(plan, changes);
}

function updateAssigned({ assigned }: BudgetPlan, { documents, set, add }: Changes): void {
  const wanted = new Map(assigned.map(one => [`${one.categoryId} ${one.month}`, one]));
  for (const { id: categoryId, cells } of documents.all('categoryMonths', set)) {
    for (const [month, cell] of Object.entries(cells)) {
      if (cell.assigned === 0 || wanted.has(`${categoryId} ${month}`)) continue;
      const origin = `the amount assigned to ${categoryId} in ${month}`;
      add(origin, 'envelope.assigned', { month, categoryId, amount: formatMoney(0) });
    }
  }
  for (const { categoryId, month, amount, origin } of wanted.values()) {
    const before = documents.get('categoryMonths', set, categoryId)?.cells[month]?.assigned ?? 0;
    if (before === amount) continue;
    add(origin, 'envelope.assigned', { month, categoryId, amount: formatMoney(amount) });
  }
}

interface CarryMark {
  readonly carriesOver: boolean;
  readonly origin: string;
}

/** A mark holds until the next one, and cannot be taken away: a superfluous one repeats the mark before it. */
function updateCarryOvers({ carryOvers }: BudgetPlan, { documents, set, add }: Changes): void {
  const wanted = new Map<string, Map<string, CarryMark>>();
  for (const { categoryId, month, carriesOver, origin } of carryOvers) {
    const marks = wanted.get(categoryId) ?? new Map<string, CarryMark>();
    wanted.set(categoryId, marks.set(month, { carriesOver, origin }));
  }
  const current = documents.all('categoryMonths', set);
  const ids = new Set([...wanted.keys(), ...current.map(({ id }) => id)]);
  for (const categoryId of ids) {
    const marks = wanted.get(categoryId) ?? new Map<string, CarryMark>();
    const before = { ...documents.get('categoryMonths', set, categoryId)?.carry };
    const months = [...new Set([...marks.keys(), ...Object.keys(before)])].sort();
    let [wantedNow, now] = [false, false];
    for (const month of months) {
      const mark = marks.get(month);
      wantedNow = mark?.carriesOver ?? wantedNow;
      now = before[month] ?? now;
      if (now === wantedNow) continue;
      const origin = mark?.origin ?? `the carry-over of ${categoryId} from ${month}`;
      add(origin, 'envelope.carryover-set', { month, categoryId, carriesOver: wantedNow });
      now = wantedNow;
    }
  }
}

function updateHolds({ holds }: BudgetPlan, { documents, set, add }: Changes): void {
  const wanted = new Map(holds.map(hold => [hold.month, hold]));
  const heldIn = (month: string) =>
    documents.get('years', set, month.slice(0, 4))?.months[month.slice(5)]?.held ?? 0;
  for (const { id: year, months } of documents.all('years', set)) {
    for (const [number, { held }] of Object.entries(months)) {
      const month = `${year}-${number}`;
      if (held === 0 || wanted.has(month)) continue;
      add(`the amount held in ${month}`, 'month.held', { month, amount: formatMoney(0) });
    }
  }
  for (const { month, amount, origin } of wanted.values()) {
    if (heldIn(month) !== amount) add(origin, 'month.held', { month, amount: formatMoney(amount) });
  }
}
