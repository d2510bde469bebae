// The figures that readers serve of a document set, calculated from documents in memory. Pure, and without a clock:
// balances include rows of all dates.
import type { Catalogue } from '../../../projections/document-kinds.ts';
import type { Account, CategoryMonths, Hundredths, Row } from '../../../projections/documents.ts';
import { envelopeOf } from '../../../projections/envelope-chain.ts';
import { envelopeMonths } from '../../../projections/envelope-months.ts';
import { formatMoney } from '../../../projections/money.ts';
import { addMonths } from '../../process/calendar.ts';
import { type MonthFigures, monthFigures } from '../../store/reading/queries/month-figures.ts';

export interface Figure {
  /** What it belongs to, such as `account home`. */
  readonly of: string;
  readonly name: string;
  /** `YYYY-MM`; null for a figure that has no month. */
  readonly month: string | null;
  readonly text: string;
  /** Null for a figure that is no money. */
  readonly amount: Hundredths | null;
}

/** The documents that figures follow from. */
export interface ServedDocuments extends Catalogue {
  readonly rows: readonly Row[];
}

export const LAST_MONTH = '9999-12';

/**
 * Returns the months with data in any of the documents and the month after each, in order. Up to the next one of them the
 * figures stay as they are, so a date in the year 26 costs no more than any other.
 */
export function figureMonths(all: readonly ServedDocuments[]): string[] {
  const withData = all.flatMap(({ years, categoryMonths }) => [
    ...years.flatMap(({ id, months }) => Object.keys(months).map(month => `${id}-${month}`)),
    ...categoryMonths.flatMap(({ cells, carry }) => [...Object.keys(cells), ...Object.keys(carry)]),
  ]);
  const after = withData.filter(month => month < LAST_MONTH).map(month => addMonths(month, 1));
  return [...new Set([...withData, ...after])].sort();
}

/** @param months those of `figureMonths` */
export function* figuresOf(
  documents: ServedDocuments,
  months: readonly string[],
): Generator<Figure> {
  for (const account of documents.accounts) yield* accountFigures(account);
  for (const { id, ...fields } of documents.groups) yield* facts(`category group ${id}`, fields);
  for (const { id, budgetMode: _, ...fields } of documents.categories) {
    yield* facts(`category ${id}`, fields);
  }
  for (const { id, ...fields } of documents.payees) yield* facts(`payee ${id}`, fields);
  for (const { id, ...fields } of documents.labels) yield* facts(`label ${id}`, fields);
  for (const row of documents.rows) yield* rowFigures(row);
  yield* monthsFigures(documents, months);
  const stored = new Map(documents.categoryMonths.map(one => [one.id, one]));
  for (const { id, budgetMode } of documents.categories) {
    // Readers serve its zeros before anything is stored of it.
    const own = stored.get(id) ?? { id, cells: {}, carry: {} };
    if (budgetMode === 'envelope') yield* envelopeFigures(own, months);
  }
}

function* accountFigures(account: Account): Generator<Figure> {
  const { id, cleared, uncleared, native, count, currency } = account;
  const of = `account ${id}`;
  const { name, type, onBudget, closed, position } = account;
  yield* facts(of, { name, type, currency, onBudget, closed, position });
  yield money({ of }, 'balance', cleared + uncleared);
  yield money({ of }, 'clearedBalance', cleared);
  yield money({ of }, 'unclearedBalance', uncleared);
  if (currency !== null) yield money({ of }, 'nativeBalance', native);
  yield* facts(of, { transactionCount: count, lastTransactionDate: account.lastDate });
}

function* rowFigures(stored: Row): Generator<Figure> {
  const { id, amount, amountNative, labels, onBudget: _, ...row } = stored;
  const of = `transaction ${id}`;
  yield money({ of }, 'amount', amount);
  if (amountNative !== null) yield money({ of }, 'amountNative', amountNative);
  yield* facts(of, { ...row, labels: labels.map(label => label.name).join(', ') });
}

/** Fields of documents that are not served. */
const UNSERVED: ReadonlySet<string> = new Set([
  'set',
  'changed',
  'entry',
  'nameKey',
  'size',
  'internal',
]);

function* facts(of: string, fields: object): Generator<Figure> {
  for (const [name, value] of Object.entries(fields)) {
    if (UNSERVED.has(name) || value === null || value === '') continue;
    yield { of, name, month: null, text: String(value), amount: null };
  }
}

/** What a figure belongs to, and its month. */
type Place = Pick<Figure, 'of'> & Partial<Pick<Figure, 'month'>>;

function money({ of, month = null }: Place, name: string, amount: Hundredths): Figure {
  return { of, name, month, text: formatMoney(amount), amount };
}

const COUNTS: readonly (keyof MonthFigures)[] = ['overspentCount', 'uncategorizedCount'];

function* monthsFigures({ years }: ServedDocuments, months: readonly string[]): Generator<Figure> {
  const latestFirst = [...years].sort((a, b) => (a.id < b.id ? 1 : -1));
  for (const month of months) {
    const year = latestFirst.find(({ id }) => id <= month.slice(0, 4)) ?? null;
    const figures = monthFigures(year, month);
    for (const name of Object.keys(figures) as (keyof MonthFigures)[]) {
      const value = figures[name];
      if (COUNTS.includes(name))
        yield { of: 'month', name, month, text: String(value), amount: null };
      else yield money({ of: 'month', month }, name, value);
    }
  }
}

function* envelopeFigures(
  stored: Pick<CategoryMonths, 'id' | 'cells' | 'carry'>,
  shown: readonly string[],
): Generator<Figure> {
  const of = `envelope ${stored.id}`;
  const { months, cell, mark } = envelopeOf(stored);
  const history = {
    months,
    assigned: months.map(month => cell(month)?.assigned ?? 0),
    spent: months.map(month => cell(month)?.spent ?? 0),
    marks: months.map(mark),
  };
  for (const [index, figures] of envelopeMonths(history, shown).entries()) {
    const month = shown[index] ?? null;
    yield money({ of, month }, 'assigned', figures.assigned);
    yield money({ of, month }, 'activity', figures.activity);
    yield money({ of, month }, 'available', figures.available);
    const text = String(figures.carriesOver);
    yield { of, name: 'carriesOver', month, text, amount: null };
  }
}
