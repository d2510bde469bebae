// Reads the envelopes of a budget month by month, as they are served (additions.md, CategoryMonth).
import { type EnvelopeMonth, envelopeMonths } from '../../../projections/envelope-months.ts';
import { formatMoney } from '../../../projections/money.ts';
import type { CategoryMonth, CategoryMonths } from '../../../schemas/generated/api.ts';
import { monthNumber } from '../../calendar.ts';
import type { Reading } from '../snapshot.ts';
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

export async function readCategoryMonths(
  reading: Reading,
  set: string,
  query: CategoryMonthsQuery,
): Promise<CategoryMonths[]> {
  const { months, categoryId } = query;
  const [envelopes, histories] = await Promise.all([
    readEnvelopes(reading, set, query),
    readEnvelopeHistories(reading, set, categoryId),
  ]);
  const numbers = months.map(monthNumber);
  const columns = envelopes.map(names => {
    const history = histories.get(names.categoryId) ?? NO_HISTORY;
    return envelopeMonths(history, numbers).map(figures => toAnswer(names, figures));
  });
  return months.map((month, index) => ({
    month,
    categories: columns.flatMap(column => column[index] ?? []),
  }));
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

function toAnswer(
  names: Names,
  { assigned, activity, available, carriesOver }: EnvelopeMonth,
): CategoryMonth {
  return {
    ...names,
    assigned: formatMoney(assigned),
    activity: formatMoney(activity),
    available: formatMoney(available),
    carriesOver,
  };
}
