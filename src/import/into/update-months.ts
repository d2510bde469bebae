// Brings assigned amounts, carry-over and money held for next month up to date.
import { formatMoney } from '../../../projections/money.ts';
import type { BudgetPlan } from '../plan.ts';
import type { Changes } from './changes.ts';

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
