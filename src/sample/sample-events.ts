// The sample history of `npm start`: three years of two people's budgets, the same for the same seed and day.
import type { DomainEvent } from '../../schemas/generated/events.ts';
import { addDays, addMonths, monthOf } from '../process/calendar.ts';
import { createRandom } from '../process/random.ts';
import { createSampleBudget, type SampleBudget } from './budget.ts';
import { moveIn } from './catalogue.ts';
import { enterRegulars, goShopping, keepBooks } from './daily-life.ts';
import { happen } from './happenings.ts';
import { HOUSEHOLD } from './household.ts';
import { fillAhead, fillEnvelopes, turnMonth } from './month-turn.ts';
import { PERSONAL } from './personal.ts';
import type { Plan } from './plan.ts';
import { createTimeline, type Timeline } from './timeline.ts';

/** Reaches every budget of the sample. */
export const SAMPLE_USER = 'anna';
/** Reaches the shared household only. */
export const SAMPLE_OTHER_USER = 'ben';

export const SAMPLE_SEED = 20_260_101;

/** Exchange rates are those of the euro. */
const CURRENCY = 'EUR';
const SHARED_SPACE = 'home';
const OWN_SPACE = 'anna-own';
const MONTHS = 36;
/** The personal budget starts again so many months before today. */
const NEW_START_MONTHS = 10;
const FUTURE_DAYS = 45;

export interface SampleOptions {
  /** The same seed and day give the same events. */
  readonly seed: number;
  /** `YYYY-MM-DD`: the history ends the evening before, with rows dated up to some weeks after it. */
  readonly today: string;
}

/** Returns valid events of the catalogue (docs/events.md) in the order in which they happened; each stream is numbered from 1. */
export function* sampleEvents({ seed, today }: SampleOptions): Generator<DomainEvent> {
  const timeline = createTimeline(createRandom(seed));
  const start = `${addMonths(monthOf(today), -MONTHS)}-01`;
  const newStart = `${addMonths(monthOf(today), -NEW_START_MONTHS)}-01`;
  timeline.startDay(start);
  createSpaces(timeline);
  const create = (id: string, plan: Plan, ownSeed: number): SampleBudget =>
    createSampleBudget({ id, plan, seed: ownSeed, timeline });
  const household = create('household', HOUSEHOLD, seed + 1);
  const first = create('anna-first', PERSONAL, seed + 2);
  begin(household, SHARED_SPACE, 'Household');
  begin(first, OWN_SPACE, 'Mine');
  yield* timeline.drain();
  let budgets = [household, first];
  for (let date = addDays(start, 1); date < today; date = addDays(date, 1)) {
    timeline.startDay(date);
    if (date === newStart) {
      const second = create('anna-second', PERSONAL, seed + 3);
      startAgain(first, second);
      budgets = [household, second];
    }
    happen(household, start);
    discardBudget(timeline, start);
    for (const budget of budgets) liveOneDay(budget);
    yield* timeline.drain();
  }
  for (const budget of budgets) planAhead(budget, today);
  yield* timeline.drain();
}

function createSpaces(timeline: Timeline): void {
  timeline.emit(SHARED_SPACE, 'space.created', { name: 'Flat' });
  timeline.emit(SHARED_SPACE, 'space.member-added', { userId: SAMPLE_USER });
  timeline.emit(SHARED_SPACE, 'space.member-added', { userId: SAMPLE_OTHER_USER });
  timeline.emit(SHARED_SPACE, 'space.renamed', { name: 'Anna & Ben' });
  timeline.emit(OWN_SPACE, 'space.created', { name: null });
  timeline.emit(OWN_SPACE, 'space.member-added', { userId: SAMPLE_USER });
  // The wrong space: taken back at once.
  timeline.emit(OWN_SPACE, 'space.member-added', { userId: SAMPLE_OTHER_USER });
  timeline.emit(OWN_SPACE, 'space.member-removed', { userId: SAMPLE_OTHER_USER });
}

function begin(budget: SampleBudget, spaceId: string, name: string): void {
  budget.emit('budget.created', { spaceId, name, currency: CURRENCY });
  moveIn(budget);
  fillEnvelopes(budget);
}

/** Leaves a budget behind; the new one begins with its balances. */
function startAgain(before: SampleBudget, after: SampleBudget): void {
  const name = 'Mine, new start';
  after.emit('budget.created', { spaceId: OWN_SPACE, name, currency: CURRENCY });
  moveIn(after, before);
  before.emit('budget.archived', { successorBudgetId: after.id });
}

/** An idea that came to nothing. */
function discardBudget(timeline: Timeline, start: string): void {
  if (timeline.date === addDays(start, 150)) {
    const data = { spaceId: SHARED_SPACE, name: 'Summer House?', currency: 'DKK' };
    timeline.emit('summer-house', 'budget.created', data);
  }
  if (timeline.date === addDays(start, 171)) timeline.emit('summer-house', 'budget.deleted', {});
}

function liveOneDay(budget: SampleBudget): void {
  turnMonth(budget);
  keepBooks(budget);
  enterRegulars(budget, budget.today);
  goShopping(budget);
}

/** Enters on the last evening what is due in the coming weeks, and part of the next month's plan. */
function planAhead(budget: SampleBudget, today: string): void {
  for (let days = 0; days <= FUTURE_DAYS; days++) enterRegulars(budget, addDays(today, days));
  fillAhead(budget);
}
