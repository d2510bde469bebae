// The last step of a chunk: what depends on the whole of a budget is brought in line with what the events changed.
// It is a function of the live state alone, so it does not matter how the events were cut into chunks.

import { lastKey } from './aggregates/row-sums.ts';
import { editMonth, editYear, NOTHING_BEFORE } from './aggregates/year-months.ts';
import type { CategoryMonths, MonthIncrements, Year, YearStart } from './documents.ts';
import { type Contribution, contributions } from './envelope-chain.ts';
import type { WorkingSet } from './working-set.ts';

const SUMMED = ['income', 'assigned', 'overspent', 'cash', 'internal', 'uncategorized'] as const;

/**
 * Settles the sets that a chunk touched: envelopes into months, years onto one another, empty ones out.
 * Needs every year of a touched set, and the category of every touched CategoryMonths, in the working set.
 */
export function settle(documents: WorkingSet): void {
  settleEnvelopes(documents);
  const touched = new Set(documents.changes('years').map(change => setOf(change.key)));
  for (const set of touched) settleYears(documents, set);
}

/** The date of the newest live row of a set, null when there is none. */
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

// A category's part changes with its cells, its carry-over, and the mode of the group it is in.
function settleEnvelopes(documents: WorkingSet): void {
  const cells = new Map(documents.changes('categoryMonths').map(change => [change.key, change]));
  const categories = new Map(documents.changes('categories').map(change => [change.key, change]));
  for (const key of new Set([...cells.keys(), ...categories.keys()])) {
    const set = setOf(key);
    const id = key.slice(set.length + 1);
    const category = documents.get('categories', set, id);
    const before = categories.has(key) ? (categories.get(key)?.loaded ?? null) : category;
    const now = tidied(documents, set, id);
    const cellsBefore = cells.has(key) ? (cells.get(key)?.loaded ?? null) : now;
    const taken = contributions(cellsBefore, before?.budgetMode ?? null);
    const given = contributions(now, category?.budgetMode ?? null);
    addContributions(documents, set, taken, -1);
    addContributions(documents, set, given, 1);
  }
}

// A category without a cell and without a flag has no document.
function tidied(documents: WorkingSet, set: string, id: string): CategoryMonths | null {
  const document = documents.get('categoryMonths', set, id);
  if (!document) return null;
  const used = lastKey(document.cells) !== null || lastKey(document.carry) !== null;
  if (used) return document;
  documents.put('categoryMonths', set, id, null);
  return null;
}

function addContributions(
  documents: WorkingSet,
  set: string,
  months: ReadonlyMap<string, Contribution>,
  sign: 1 | -1,
): void {
  for (const [month, part] of months) {
    const increments = editMonth(editYear(documents, set, month.slice(0, 4)), month.slice(5, 7));
    increments.income += sign * part.income;
    increments.assigned += sign * part.assigned;
    increments.overspent += sign * part.overspent;
    increments.overspentCount += sign * part.overspentCount;
  }
}

function settleYears(documents: WorkingSet, set: string): void {
  let start = NOTHING_BEFORE;
  const ids = documents.all('years', set).map(year => year.id);
  for (const id of ids.sort()) {
    const year = settleYear(documents, set, id, start);
    if (year) start = after(start, year);
  }
}

function settleYear(documents: WorkingSet, set: string, id: string, start: YearStart): Year | null {
  const stored = documents.get('years', set, id);
  const months = Object.entries(stored?.months ?? {});
  const empty = months.filter(([, increments]) => isNothing(increments));
  if (empty.length === months.length) {
    documents.put('years', set, id, null);
    return null;
  }
  if (stored && empty.length === 0 && startsAt(stored.start, start)) return stored;
  const year = editYear(documents, set, id);
  year.start = start;
  for (const [month] of empty) delete year.months[month];
  return year;
}

function startsAt(a: YearStart, b: YearStart): boolean {
  return SUMMED.every(field => a[field] === b[field]);
}

function after(start: YearStart, year: Year): YearStart {
  const sums = { ...start };
  for (const increments of Object.values(year.months)) {
    for (const field of SUMMED) sums[field] += increments[field];
  }
  return sums;
}

function isNothing(increments: MonthIncrements): boolean {
  if (lastKey(increments.days) !== null) return false;
  if (increments.held !== 0 || increments.overspentCount !== 0) return false;
  return SUMMED.every(field => increments[field] === 0);
}

function setOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}
