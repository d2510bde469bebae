// The sample history of `npm start`: three years of two people's budgets, the same for the same seed and day.
import type { DomainEvent } from '../../../schemas/generated/events.ts';
import { type BudgetBook, createBudgetBook } from './budget-book.ts';
import { addDays, addMonths, monthOf } from './calendar.ts';
import { enterRegulars, goShopping } from './daily-life.ts';
import { happen } from './happenings.ts';
import { HOUSEHOLD } from './household.ts';
import type { Life } from './life.ts';
import { fillAhead, fillEnvelopes, turnMonth } from './month-turn.ts';
import { moveIn } from './moving-in.ts';
import { PERSONAL } from './personal.ts';
import type { Plan } from './plan.ts';
import { createRandom } from './random.ts';
import { createTimeline, type Timeline } from './timeline.ts';
import { keepBooks } from './upkeep.ts';

/** Reaches every budget of the sample. */
export const SAMPLE_USER = 'anna';
/** Reaches the shared household only. */
export const SAMPLE_OTHER_USER = 'ben';

export const SAMPLE_SEED = 20_260_101;

const HOME = 'home';
const OWN = 'anna-own';
const MONTHS = 36;
/** Months before today at which the personal budget started on a clean slate. */
const CLEAN_SLATE_MONTHS = 10;
const FUTURE_DAYS = 45;

export interface SampleOptions {
  /** The same seed and day give the same events. */
  readonly seed: number;
  /** `YYYY-MM-DD`: the history ends the evening before, with rows dated up to some weeks after it. */
  readonly today: string;
}

/** Valid events of events.md in the order in which they happened; each stream is numbered from 1. */
export function* sampleEvents({ seed, today }: SampleOptions): Generator<DomainEvent> {
  const timeline = createTimeline(createRandom(seed));
  const start = `${addMonths(monthOf(today), -MONTHS)}-01`;
  const cleanSlate = `${addMonths(monthOf(today), -CLEAN_SLATE_MONTHS)}-01`;
  timeline.startDay(start);
  const household = createLife(timeline, 'household', HOUSEHOLD, seed + 1);
  let personal = createLife(timeline, 'anna-first', PERSONAL, seed + 2);
  createSpaces(timeline);
  begin(household, HOME, 'Household');
  begin(personal, OWN, 'Mine');
  yield* timeline.drain();
  for (let date = addDays(start, 1); date < today; date = addDays(date, 1)) {
    timeline.startDay(date);
    if (date === cleanSlate) {
      personal = startAgain(timeline, personal, seed + 3);
    }
    happen(household, start);
    discardedBudget(timeline, start);
    for (const life of [household, personal]) liveOneDay(life);
    yield* timeline.drain();
  }
  for (const life of [household, personal]) planAhead(life, today);
  yield* timeline.drain();
}

function createLife(timeline: Timeline, id: string, plan: Plan, seed: number): Life {
  const book: BudgetBook = createBudgetBook(timeline, id);
  return { book, plan, random: createRandom(seed), duplicates: [] };
}

function createSpaces(timeline: Timeline): void {
  timeline.emit(HOME, 'space.created', { name: 'Flat' });
  timeline.emit(HOME, 'space.member-added', { userId: SAMPLE_USER });
  timeline.emit(HOME, 'space.member-added', { userId: SAMPLE_OTHER_USER });
  timeline.emit(HOME, 'space.renamed', { name: 'Anna & Ben' });
  timeline.emit(OWN, 'space.created', { name: null });
  timeline.emit(OWN, 'space.member-added', { userId: SAMPLE_USER });
  // The wrong space: taken back at once.
  timeline.emit(OWN, 'space.member-added', { userId: SAMPLE_OTHER_USER });
  timeline.emit(OWN, 'space.member-removed', { userId: SAMPLE_OTHER_USER });
}

function begin(life: Life, spaceId: string, name: string): void {
  life.book.emit('budget.created', { spaceId, name, currency: life.plan.currency });
  moveIn(life);
  fillEnvelopes(life);
}

/** The old budget is left behind; the new one begins with its balances. */
function startAgain(timeline: Timeline, before: Life, seed: number): Life {
  const after = createLife(timeline, 'anna-second', before.plan, seed);
  const accounts = [...before.book.accounts];
  const openings = new Map(accounts.map(([key, account]) => [key, account.balance]));
  const { currency } = after.plan;
  after.book.emit('budget.created', { spaceId: OWN, name: 'Mine, new start', currency });
  moveIn(after, openings);
  before.book.emit('budget.archived', { successorBudgetId: after.book.id });
  return after;
}

/** An idea that came to nothing. */
function discardedBudget(timeline: Timeline, start: string): void {
  const emit = createBudgetBook(timeline, 'summer-house').emit;
  if (timeline.date === addDays(start, 150)) {
    emit('budget.created', { spaceId: HOME, name: 'Summer House?', currency: 'DKK' });
  }
  if (timeline.date === addDays(start, 171)) emit('budget.deleted', {});
}

function liveOneDay(life: Life): void {
  turnMonth(life);
  keepBooks(life);
  enterRegulars(life, life.book.today());
  goShopping(life);
}

/** On the last evening the coming weeks are entered: what is due, and part of the next month's plan. */
function planAhead(life: Life, today: string): void {
  for (let days = 0; days <= FUTURE_DAYS; days++) enterRegulars(life, addDays(today, days));
  fillAhead(life);
}
