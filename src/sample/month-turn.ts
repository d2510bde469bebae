// The budgeting of the sample: envelopes are filled when a month starts, and topped up when it ends. What is in them
// comes from the cells that the projections keep (rules/months.md#available).
import type { Hundredths } from '../../projections/documents.ts';
import { contributions, envelopeOf } from '../../projections/envelope-chain.ts';
import { formatMoney } from '../../projections/money.ts';
import { addMonths, dayOf, monthOf } from '../process/calendar.ts';
import type { SampleBudget } from './budget.ts';
import { findCategory } from './catalogue.ts';
import type { CategoryPlan } from './plan.ts';

const REST_MIN = 50_00;
const HOLD_MIN = 300_00;
const ROUND_TO = 5_00;
/** An envelope keeps this much for the last days of a month. */
const CUSHION = 40_00;

/** Runs every day; most days nothing is due. */
export function turnMonth(budget: SampleBudget): void {
  const { today } = budget;
  const month = monthOf(today);
  if (today === dayOf(month, 1)) fillEnvelopes(budget);
  if (today === dayOf(month, 29)) coverOverspending(budget);
  if (today === dayOf(month, 30)) holdForNextMonth(budget, month);
}

export function fillEnvelopes(budget: SampleBudget): void {
  for (const [categoryId, { monthly = 0 }] of envelopesOf(budget)) {
    if (monthly > 0) assignMore(budget, categoryId, monthly);
  }
  const rest = findCategory(budget, budget.plan.restCategory);
  const left = readyToAssign(budget) - REST_MIN;
  const more = left - (left % ROUND_TO);
  if (rest !== null && more > 0) assignMore(budget, rest, more);
}

/** Assigns part of the next month early, so that future months are not empty. */
export function fillAhead(budget: SampleBudget): void {
  const month = addMonths(monthOf(budget.today), 1);
  for (const [categoryId, { monthly = 0 }] of envelopesOf(budget)) {
    if (monthly === 0 || !budget.random.chance(0.8)) continue;
    budget.emit('envelope.assigned', { month, categoryId, amount: formatMoney(monthly) });
  }
}

/** Skips about half of the months, so that some are overspent. */
function coverOverspending(budget: SampleBudget): void {
  if (budget.random.chance(0.5)) return;
  for (const [categoryId, { carriesOver = false, monthly = 0 }] of envelopesOf(budget)) {
    const short = CUSHION - availableIn(budget, categoryId);
    if (short > 0 && !carriesOver && monthly > 0) assignMore(budget, categoryId, short);
  }
}

function holdForNextMonth(budget: SampleBudget, month: string): void {
  const { random } = budget;
  const ready = readyToAssign(budget);
  if (ready < HOLD_MIN || !random.chance(0.5)) return;
  const hold = (amount: number) =>
    budget.emit('month.held', { month, amount: formatMoney(amount) });
  const amount = ready - (ready % 50_00);
  hold(amount);
  // The amount of a hold is the whole amount, not a difference.
  if (random.chance(0.3)) hold(amount / 2);
  if (random.chance(0.2)) hold(0);
}

/** Returns the plans of the envelopes that exist now, by category id. */
function envelopesOf(budget: SampleBudget): Map<string, CategoryPlan> {
  const envelopes = new Map<string, CategoryPlan>();
  const groups = budget.plan.groups.filter(({ mode }) => mode === 'envelope');
  for (const category of groups.flatMap(({ categories }) => categories)) {
    const id = findCategory(budget, category.name);
    // The name of a replaced category means its replacement, which has a plan of its own.
    if (id !== null && !envelopes.has(id)) envelopes.set(id, category);
  }
  return envelopes;
}

/** Assigns more to an envelope than it has now. */
export function assignMore(budget: SampleBudget, categoryId: string, more: Hundredths): void {
  const month = monthOf(budget.today);
  const months = budget.documents.get('categoryMonths', budget.id, categoryId);
  const amount = formatMoney((months?.cells[month]?.assigned ?? 0) + more);
  budget.emit('envelope.assigned', { month, categoryId, amount });
}

/** V(c,m): the amounts up to this month, less the overspending that earlier months left behind. */
export function availableIn(budget: SampleBudget, categoryId: string): Hundredths {
  const month = monthOf(budget.today);
  const months = budget.documents.get('categoryMonths', budget.id, categoryId);
  if (months === null) return 0;
  let available = 0;
  for (const [of, { assigned, spent }] of Object.entries(months.cells)) {
    if (of <= month) available += assigned + spent;
  }
  for (const [of, { overspent }] of contributions(envelopeOf(months), 'envelope')) {
    if (of < month) available -= overspent;
  }
  return available;
}

/** R(m): income less what is assigned, overspent in earlier months, and held for the next one. */
export function readyToAssign({ documents, id, today }: SampleBudget): Hundredths {
  const month = monthOf(today);
  const year = documents.get('years', id, month.slice(0, 4));
  let ready = -(year?.months[month.slice(5)]?.held ?? 0);
  for (const months of documents.all('categoryMonths', id)) {
    const mode = documents.get('categories', id, months.id)?.budgetMode ?? null;
    for (const [of, part] of contributions(envelopeOf(months), mode)) {
      if (of <= month) ready += part.income - part.assigned;
      if (of < month) ready += part.overspent;
    }
  }
  return ready;
}
