// The budgeting itself: envelopes are filled when a month starts, mended and looked ahead from when it ends.
import { formatMoney } from '../../../projections/money.ts';
import { assign } from './budget-book.ts';
import { addMonths, dayOf, monthOf } from './calendar.ts';
import type { Life } from './life.ts';
import type { CategoryPlan } from './plan.ts';

const REST_MIN = 50_00;
const HOLD_MIN = 300_00;
const ROUND_TO = 5_00;
/** What is left in an envelope for the last days of a month. */
const CUSHION = 40_00;

/** To be called on each day; most days nothing is due. */
export function turnMonth(life: Life): void {
  const date = life.book.today();
  const month = monthOf(date);
  if (date === dayOf(month, 1)) fillEnvelopes(life);
  if (date === dayOf(month, 29)) coverOverspending(life);
  if (date === dayOf(month, 30)) holdForNextMonth(life, month);
}

export function fillEnvelopes(life: Life): void {
  const { book, plan } = life;
  book.envelopes.closeMonth();
  for (const [categoryId, { monthly = 0 }] of envelopesOf(life)) {
    if (monthly > 0) assign(book, categoryId, monthly);
  }
  const rest = book.categories.get(plan.restCategory);
  const left = book.envelopes.ready() - REST_MIN;
  if (rest === undefined || left <= 0) return;
  const more = left - (left % ROUND_TO);
  if (more > 0) assign(book, rest, book.envelopes.assigned(rest) + more);
}

/** Some of the next month is assigned early, so that future months are not empty. */
export function fillAhead(life: Life): void {
  const month = addMonths(monthOf(life.book.today()), 1);
  for (const [categoryId, { monthly = 0 }] of envelopesOf(life)) {
    if (monthly === 0 || !life.random.chance(0.8)) continue;
    const amount = formatMoney(monthly);
    life.book.emit('envelope.assigned', { month, categoryId, amount });
  }
}

/** Not in every month: red numbers are what the overspending fields are for. */
function coverOverspending(life: Life): void {
  const { book, random } = life;
  if (random.chance(0.5)) return;
  for (const [categoryId, { carriesOver = false, monthly = 0 }] of envelopesOf(life)) {
    const short = CUSHION - book.envelopes.available(categoryId);
    if (short <= 0 || carriesOver || monthly === 0) continue;
    assign(book, categoryId, book.envelopes.assigned(categoryId) + short);
  }
}

function holdForNextMonth({ book, random }: Life, month: string): void {
  const ready = book.envelopes.ready();
  if (ready < HOLD_MIN || !random.chance(0.5)) return;
  const amount = ready - (ready % 50_00);
  book.emit('month.held', { month, amount: formatMoney(amount) });
  // Second thoughts: the amount of a hold is the whole amount, not a difference.
  if (random.chance(0.3)) book.emit('month.held', { month, amount: formatMoney(amount / 2) });
  if (random.chance(0.2)) book.emit('month.held', { month, amount: formatMoney(0) });
}

function envelopesOf({ book, plan }: Life): [categoryId: string, plan: CategoryPlan][] {
  const groups = plan.groups.filter(group => group.mode === 'envelope');
  const seen = new Map<string, CategoryPlan>();
  for (const category of groups.flatMap(group => group.categories)) {
    const id = book.categories.get(category.name);
    if (id !== undefined && !seen.has(id)) seen.set(id, category);
  }
  return [...seen];
}
