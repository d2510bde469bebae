// Reads the envelopes of a budget month by month, as they are served (rules/months.md#envelope-figures).
import { type EnvelopeMonth, envelopeMonths } from '../../../../projections/envelope-months.ts';
import { formatMoney } from '../../../../projections/money.ts';
import type { CategoryMonth } from '../../../../schemas/generated/api.ts';
import { monthNumber } from '../../../process/calendar.ts';
import { inTurns } from '../../../process/waiting.ts';
import type { Reading } from '../../snapshot.ts';
import { orderedGroups } from './categories.ts';
import { NO_HISTORY, readEnvelopeHistories } from './envelope-histories.ts';

export interface CategoryMonthsQuery {
  /** Consecutive months (`YYYY-MM`), in order. */
  readonly months: readonly string[];
  readonly includeHidden: boolean;
  /** Only this category, also a hidden one. */
  readonly categoryId: string | undefined;
}

type Names = Omit<CategoryMonth, 'assigned' | 'activity' | 'available' | 'carriesOver'>;

/** Returns the body of the answer, which may be large: its parts are joined as texts, and made in turns. */
export async function readCategoryMonths(
  reading: Reading,
  set: string,
  query: CategoryMonthsQuery,
): Promise<string> {
  const { months, categoryId } = query;
  const [envelopes, histories] = await Promise.all([
    readEnvelopes(reading, set, query),
    readEnvelopeHistories(reading, set, categoryId),
  ]);
  const numbers = months.map(monthNumber);
  const format = memoized(formatMoney);
  const columns: string[][] = [];
  await inTurns(envelopes, names => {
    const history = histories.get(names.categoryId) ?? NO_HISTORY;
    columns.push(renderColumn(names, envelopeMonths(history, numbers), format));
  });
  const rendered = months.map((month, index) => {
    const categories = columns.map(column => column[index]).join(',');
    return `{"month":"${month}","categories":[${categories}]}`;
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
