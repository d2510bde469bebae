// Reads the envelopes of a budget month by month, as they are served (rules/months.md#envelope-figures).
import {
  type EnvelopeHistory,
  type EnvelopeMonth,
  envelopeMonths,
} from '../../../../projections/envelope-months.ts';
import { formatMoney } from '../../../../projections/money.ts';
import { keyOf } from '../../../../projections/working-set-entries.ts';
import type { CategoryMonth } from '../../../../schemas/generated/api.ts';
import { monthNumber } from '../../../process/calendar.ts';
import { inTurns } from '../../../process/waiting.ts';
import { ONE_REPLY } from '../../one-reply.ts';
import type { Reading } from '../../snapshot.ts';
import {
  asciiAt,
  booleanAt,
  DOCUMENT,
  eachField,
  fieldName,
  integerIn,
  isNamed,
  STRING,
} from './bson.ts';
import { orderedGroups } from './categories.ts';
import { rawBatches } from './raw-batches.ts';

export interface CategoryMonthsQuery {
  /** Consecutive months (`YYYY-MM`), in order. */
  readonly months: readonly string[];
  readonly includeHidden: boolean;
  /** Only this category, also a hidden one. */
  readonly categoryId: string | undefined;
}

type Names = Omit<CategoryMonth, 'assigned' | 'activity' | 'available' | 'carriesOver'>;

/** Envelopes that an answer has in all its months: some 60 to 200 MB of text. */
const ENVELOPES_MAX = 300_000;

/**
 * Returns the body of the answer, which may be large: its parts are joined as texts, and made in turns. Instead of one that
 * is too large, returns for how many months it would have room.
 */
export async function readCategoryMonths(
  reading: Reading,
  set: string,
  query: CategoryMonthsQuery,
): Promise<string | { readonly monthsMax: number }> {
  const { months, categoryId } = query;
  const [envelopes, histories] = await Promise.all([
    readEnvelopes(reading, set, query),
    readEnvelopeHistories(reading, set, categoryId),
  ]);
  if (envelopes.length * months.length > ENVELOPES_MAX && months.length > 1) {
    return { monthsMax: Math.max(1, Math.floor(ENVELOPES_MAX / envelopes.length)) };
  }
  const numbers = months.map(monthNumber);
  const format = memoized(formatMoney);
  const columns: string[][] = [];
  await inTurns(envelopes, names => {
    const history = histories.get(names.categoryId) ?? NO_HISTORY;
    columns.push(renderColumn(names, envelopeMonths(history, numbers), format));
  });
  const rendered: string[] = [];
  await inTurns([...months.entries()], ([index, month]) => {
    const categories = columns.map(column => column[index]).join(',');
    rendered.push(`{"month":"${month}","categories":[${categories}]}`);
  });
  return `{"months":[${rendered.join(',')}]}`;
}

/** Returns the categories of envelope groups in the order of /categories. */
async function readEnvelopes(
  reading: Reading,
  set: string,
  { includeHidden, categoryId }: CategoryMonthsQuery,
): Promise<Names[]> {
  const groups = await orderedGroups(reading, set);
  const all = groups
    .filter(({ group }) => group.budgetMode === 'envelope')
    .flatMap(({ group, categories }) =>
      categories.map(({ id, name, hidden }) => ({
        categoryId: id,
        categoryName: name,
        groupId: group.id,
        groupName: group.name,
        hidden: hidden || group.hidden,
      })),
    );
  if (categoryId !== undefined) return all.filter(names => names.categoryId === categoryId);
  return all.filter(({ hidden }) => includeHidden || !hidden);
}

/** Returns the JSON text of a category in each month. */
function renderColumn(
  names: Names,
  column: readonly EnvelopeMonth[],
  format: (amount: number) => string,
): string[] {
  const head = JSON.stringify(names).slice(0, -1);
  return column.map(({ assigned, activity, available, carriesOver }) => {
    const amounts = `"assigned":"${format(assigned)}","activity":"${format(activity)}"`;
    const rest = `"available":"${format(available)}","carriesOver":${carriesOver}`;
    return `${head},${amounts},${rest}}`;
  });
}

/** Returns a format that remembers its texts: envelopes keep the same amounts for months. */
function memoized(format: (amount: number) => string): (amount: number) => string {
  const known = new Map<number, string>();
  return amount => {
    const text = known.get(amount) ?? format(amount);
    known.set(amount, text);
    return text;
  };
}

/** Months are numbers, as `monthNumber` of src/process/calendar.ts returns them. */
type History = EnvelopeHistory<number>;

const NO_HISTORY: History = { months: [], assigned: [], spent: [], marks: [] };

const ID = fieldName('id');
const CELLS = fieldName('cells');
const CARRY = fieldName('carry');
const ASSIGNED = fieldName('assigned');
const SPENT = fieldName('spent');

/**
 * Returns by category what is stored of all its months; of one category where `categoryId` is given. A budget may have very
 * many months, so they are read as bytes.
 */
async function readEnvelopeHistories(
  reading: Reading,
  set: string,
  categoryId?: string,
): Promise<Map<string, History>> {
  const batches = await rawBatches(reading, {
    find: reading.collections.categoryMonths.collectionName,
    filter: categoryId === undefined ? { set } : { _id: keyOf(set, categoryId) },
    ...ONE_REPLY,
  });
  const histories = new Map<string, History>();
  for (const batch of batches) {
    eachField(batch, 0, (_name, document) => {
      const { id, history } = historyAt(batch, document);
      histories.set(id, history);
    });
  }
  return histories;
}

function historyAt(bytes: Buffer, document: number): { id: string; history: History } {
  let id = '';
  const cells = { months: [] as number[], assigned: [] as number[], spent: [] as number[] };
  const marks = new Map<number, boolean>();
  eachField(bytes, document, (name, value, type) => {
    if (type === STRING && isNamed(bytes, name, ID)) id = asciiAt(bytes, value);
    else if (type === DOCUMENT && isNamed(bytes, name, CELLS)) {
      eachField(bytes, value, (month, cell) => {
        cells.months.push(monthNumberAt(bytes, month));
        cells.assigned.push(integerIn(bytes, cell, ASSIGNED));
        cells.spent.push(integerIn(bytes, cell, SPENT));
      });
    } else if (type === DOCUMENT && isNamed(bytes, name, CARRY)) {
      eachField(bytes, value, (month, flag) => {
        marks.set(monthNumberAt(bytes, month), booleanAt(bytes, flag));
      });
    }
  });
  return { id, history: inOrder(cells, marks) };
}

/** An update appends the months that it adds, so stored months may be in any order. */
function inOrder(cells: Omit<History, 'marks'>, marks: ReadonlyMap<number, boolean>): History {
  const { months, assigned, spent } = cells;
  const isOrdered = months.every((month, index) => month > (months[index - 1] ?? -1));
  if (isOrdered && marks.size === 0) return { ...cells, marks: [] };
  const places = new Map(months.map((month, index) => [month, index]));
  const all = [...new Set([...months, ...marks.keys()])].sort((a, b) => a - b);
  const amountOf = (amounts: readonly number[], month: number) => {
    const place = places.get(month);
    return place === undefined ? 0 : (amounts[place] ?? 0);
  };
  return {
    months: all,
    assigned: all.map(month => amountOf(assigned, month)),
    spent: all.map(month => amountOf(spent, month)),
    marks: all.map(month => marks.get(month)),
  };
}

/** Returns the number of a month that is written `YYYY-MM`. */
function monthNumberAt(bytes: Buffer, at: number): number {
  const digit = (place: number) => (bytes[at + place] ?? ZERO) - ZERO;
  const year = digit(0) * 1000 + digit(1) * 100 + digit(2) * 10 + digit(3);
  return year * 12 + digit(5) * 10 + digit(6) - 1;
}

const ZERO = 0x30;
