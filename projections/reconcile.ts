// The last step of a chunk: what depends on the whole of a budget is brought in line with what the events changed.
// It is a function of the live state alone, so it does not matter how the events were cut into chunks.

import { lastKey } from './aggregates/row-sums.ts';
import { editMonth, editYear, NO_EARLIER_YEARS } from './aggregates/year-months.ts';
import { isEmpty } from './dictionary.ts';
import type { Cell, MonthIncrements, Year, YearStart } from './documents.ts';
import { type Contribution, contributions, type Envelope, envelopeOf } from './envelope-chain.ts';
import type { DocumentChange, WorkingSet } from './working-set.ts';

const SUMMED = ['income', 'assigned', 'overspent', 'cash', 'internal', 'uncategorized'] as const;

/**
 * Settles the sets that a chunk touched: envelopes into months, years onto one another, empty ones out.
 * Needs every year of a touched set, and the category of every touched CategoryMonths, in the working set.
 */
export function reconcile(documents: WorkingSet): void {
  reconcileEnvelopes(documents);
  const touched = new Set(documents.changes('years').map(({ set }) => set));
  for (const set of touched) reconcileYears(documents, set);
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
    addContributions(documents, set, contributions(before, modeBefore, from), -1);
    addContributions(documents, set, contributions(now, mode, from), 1);
    tidy(documents, set, id);
  }
  for (const { set, id, loaded, now } of modes.values()) {
    if (loaded?.budgetMode === now?.budgetMode) continue;
    const months = documents.get('categoryMonths', set, id);
    const envelope = months && envelopeOf(months);
    addContributions(documents, set, contributions(envelope, loaded?.budgetMode ?? null), -1);
    addContributions(documents, set, contributions(envelope, now?.budgetMode ?? null), 1);
  }
}

type MonthsChange = DocumentChange<'categoryMonths'>;

interface Envelopes {
  readonly before: Envelope | null;
  readonly now: Envelope | null;
  /** The first month of which anything changed: earlier ones give what they gave. */
  readonly first: string;
}

function envelopesOf({ loaded, now, before }: MonthsChange): Envelopes {
  if (!loaded) return { before: null, now: now && envelopeOf(now), first: '' };
  const cells = new Map<string, Cell | undefined>();
  const carry = new Map<string, boolean | undefined>();
  for (const [path, value] of before) {
    const month = path.slice(path.indexOf('.') + 1);
    if (path.startsWith('cells')) cells.set(month, value as Cell | undefined);
    else carry.set(month, value as boolean | undefined);
  }
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

// A category without a cell and without a flag has no document.
function tidy(documents: WorkingSet, set: string, id: string): void {
  const document = documents.get('categoryMonths', set, id);
  if (!document) return;
  if (isEmpty(document.cells) && isEmpty(document.carry)) {
    documents.put('categoryMonths', set, id, null);
  }
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

function reconcileYears(documents: WorkingSet, set: string): void {
  let start = NO_EARLIER_YEARS;
  const ids = documents.all('years', set).map(year => year.id);
  for (const id of ids.sort()) {
    const year = reconcileYear(documents, set, id, start);
    if (year) start = after(start, year);
  }
}

function reconcileYear(
  documents: WorkingSet,
  set: string,
  id: string,
  start: YearStart,
): Year | null {
  const stored = documents.get('years', set, id);
  const months = Object.entries(stored?.months ?? {});
  const empty = months.filter(([, increments]) => isNothing(increments));
  if (empty.length === months.length) {
    documents.put('years', set, id, null);
    return null;
  }
  if (stored && empty.length === 0 && startsAt(stored.start, start)) return stored;
  const entry = editYear(documents, set, id);
  const { document: year } = entry;
  year.start = start;
  for (const [month, increments] of empty) {
    entry.was(`months.${month}`, increments);
    delete year.months[month];
  }
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
  if (!isEmpty(increments.days)) return false;
  if (increments.held !== 0 || increments.overspentCount !== 0) return false;
  return SUMMED.every(field => increments[field] === 0);
}
