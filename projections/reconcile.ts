// The last step of a chunk: updates sums that depend on a whole budget. The result depends on the live state alone, so
// it does not matter how the events were cut into chunks.
import { lastKey } from './aggregates/row-sums.ts';
import {
  addMonth,
  editMonth,
  editYear,
  NO_EARLIER_YEARS,
  STARTED_FROM,
} from './aggregates/year-months.ts';
import { isEmpty } from './dictionary.ts';
import type { Cell, MonthIncrements, Year, YearStart } from './documents.ts';
import { type Contribution, contributions, type Envelope, envelopeOf } from './envelope-chain.ts';
import type { DocumentChange, WorkingSet } from './working-set.ts';

/**
 * Reconciles the sets that a chunk touched: adds the contributions of envelopes to months, starts each year from the
 * sums of the earlier ones, and removes empty documents. The working set must contain the category of every touched
 * CategoryMonths, and be ready from every touched year on.
 */
export function reconcile(documents: WorkingSet): void {
  reconcileEnvelopes(documents);
  const touched = new Set(documents.changes('years').map(({ set }) => set));
  for (const set of touched) reconcileYears(documents, set);
}

/**
 * Returns whether a working set contains what may change with a year of a set: the years from there on, the last one
 * with rows before it, and those between. The budget's last date may fall back to that one; its own sums stay.
 */
export function isReadyFrom(documents: WorkingSet, set: string, year: string): boolean {
  if (documents.isComplete('years', set)) return true;
  if (!documents.isProvided('years', set, year)) return false;
  return documents.all('years', set).some(({ id, count }) => id < year && count > 0);
}

/** Returns the date of the newest live row of a set, null without rows. */
export function lastDateOf(documents: WorkingSet, set: string): string | null {
  const years = documents.all('years', set).filter(year => year.count > 0);
  const newest = years.reduce<Year | null>((a, b) => (a && a.id > b.id ? a : b), null);
  if (!newest) return null;
  const days = Object.entries(newest.months).flatMap(([month, { days }]) => {
    const day = lastKey(days);
    return day === null ? [] : [`${newest.id}-${month}-${day}`];
  });
  return days.sort().at(-1) ?? null;
}

// The contributions of a category change with its cells, its carry-over, and the mode of its group.
function reconcileEnvelopes(documents: WorkingSet): void {
  const modes = new Map(documents.changes('categories').map(change => [change.key, change]));
  for (const change of documents.changes('categoryMonths')) {
    const { set, id, key } = change;
    const mode = documents.get('categories', set, id)?.budgetMode ?? null;
    const category = modes.get(key);
    modes.delete(key);
    const modeBefore = category ? (category.loaded?.budgetMode ?? null) : mode;
    const { before, now, first } = envelopesOf(change);
    const from = modeBefore === mode ? first : '';
    const months = editMonths(documents, set);
    addContributions(months, contributions(before, modeBefore, from), -1);
    addContributions(months, contributions(now, mode, from), 1);
    removeEmpty(documents, set, id);
  }
  for (const { set, id, loaded, now } of modes.values()) {
    if (loaded?.budgetMode === now?.budgetMode) continue;
    const cells = documents.get('categoryMonths', set, id);
    const envelope = cells && envelopeOf(cells);
    const months = editMonths(documents, set);
    addContributions(months, contributions(envelope, loaded?.budgetMode ?? null), -1);
    addContributions(months, contributions(envelope, now?.budgetMode ?? null), 1);
  }
}

type MonthsChange = DocumentChange<'categoryMonths'>;

/** The previous values of a category's records. */
interface PreviousMonths {
  readonly cells?: ReadonlyMap<string, Cell | undefined>;
  readonly carry?: ReadonlyMap<string, boolean | undefined>;
}

const NONE: ReadonlyMap<string, undefined> = new Map();

interface Envelopes {
  readonly before: Envelope | null;
  readonly now: Envelope | null;
  /** The first month that changed: contributions of earlier months stay the same. */
  readonly first: string;
}

function envelopesOf({ loaded, now, before }: MonthsChange): Envelopes {
  if (!loaded) return { before: null, now: now && envelopeOf(now), first: '' };
  const { cells = NONE, carry = NONE } = Object.fromEntries(before) as PreviousMonths;
  const changed = [...cells.keys(), ...carry.keys()].sort();
  const after = envelopeOf(now ?? loaded, changed);
  return {
    before: {
      months: after.months,
      cell: month => (cells.has(month) ? cells.get(month) : after.cell(month)),
      mark: month => (carry.has(month) ? carry.get(month) : after.mark(month)),
    },
    now: now && after,
    first: now ? (changed[0] ?? '~') : '',
  };
}

// A category without a cell or a carry-over mark has no document.
function removeEmpty(documents: WorkingSet, set: string, id: string): void {
  const document = documents.get('categoryMonths', set, id);
  if (!document) return;
  if (isEmpty(document.cells) && isEmpty(document.carry)) {
    documents.remove('categoryMonths', set, id);
  }
}

/** Returns a function that returns the increments of a month (`YYYY-MM`) to change in place. */
function editMonths(documents: WorkingSet, set: string): (month: string) => MonthIncrements {
  return month => editMonth(editYear(documents, set, month.slice(0, 4)), month.slice(5, 7));
}

function addContributions(
  incrementsOf: (month: string) => MonthIncrements,
  months: ReadonlyMap<string, Contribution>,
  sign: 1 | -1,
): void {
  for (const [month, part] of months) {
    const increments = incrementsOf(month);
    increments.income += sign * part.income;
    increments.assigned += sign * part.assigned;
    increments.overspent += sign * part.overspent;
    increments.overspentCount += sign * part.overspentCount;
  }
}

function reconcileYears(documents: WorkingSet, set: string): void {
  const years = documents.all('years', set).sort((a, b) => (a.id < b.id ? -1 : 1));
  // Where earlier years are not in memory, nothing before the first one has changed.
  const isWhole = documents.isComplete('years', set);
  let start = isWhole ? NO_EARLIER_YEARS : (years[0]?.start ?? NO_EARLIER_YEARS);
  for (const stored of years) {
    const year = reconcileYear(documents, stored, start);
    if (year) start = after(start, year);
  }
}

/** Returns the year as it is then; an empty year is removed, and null returned. */
function reconcileYear(documents: WorkingSet, stored: Year, start: YearStart): Year | null {
  const { set, id } = stored;
  const months = Object.entries(stored.months);
  const empty = months.filter(([, increments]) => isZero(increments));
  if (empty.length === months.length) {
    documents.remove('years', set, id);
    return null;
  }
  if (empty.length === 0 && startsAt(stored.start, start)) return stored;
  const entry = editYear(documents, set, id);
  const { document: year } = entry;
  year.start = start;
  for (const [month, increments] of empty) {
    entry.was('months', month, increments);
    delete year.months[month];
  }
  return year;
}

function startsAt(a: YearStart, b: YearStart): boolean {
  return STARTED_FROM.every(field => a[field] === b[field]);
}

function after(start: YearStart, year: Year): YearStart {
  const sums = { ...start };
  for (const increments of Object.values(year.months)) addMonth(sums, increments);
  return sums;
}

function isZero(increments: MonthIncrements): boolean {
  if (!isEmpty(increments.days)) return false;
  if (increments.held !== 0 || increments.overspentCount !== 0) return false;
  return STARTED_FROM.every(field => increments[field] === 0);
}
