// Groups and categories of a YNAB export: those of the plan in its order, then those that only the register names.
import type { PlannedCategory, PlannedGroup } from '../plan.ts';
import { HIDDEN, INTERNAL, NONE, PAYMENTS } from './names.ts';
import type { PlanLine, RegisterRow } from './read-ynab.ts';

const INCOME = ['Inflow', INTERNAL];

type InCategory = Pick<RegisterRow, 'group' | 'category' | 'origin'>;

export interface CategoryBook {
  /** Returns null if the line has no category. */
  idOf(line: InCategory): string | null;
  isIncome(line: InCategory): boolean;
  groups(): PlannedGroup[];
  /** Names of the accounts with a payment category: the credit cards. */
  readonly payments: readonly string[];
  /** Returns the id of an account's payment category, or null. */
  paymentOf(account: string): string | null;
}

export function createCategoryBook(
  lines: readonly PlanLine[],
  rows: readonly RegisterRow[],
): CategoryBook {
  const groups = new Map<string, PlannedGroup & { readonly categories: PlannedCategory[] }>();
  const ids = new Map<string, string>();
  const idOf = (line: InCategory) => ids.get(keyOf(line)) ?? null;
  for (const line of [...lines, ...rows]) {
    if (isNone(line) || ids.has(keyOf(line))) continue;
    const { group: name, category, origin } = line;
    const group = groups.get(name) ?? {
      id: `group-${groups.size + 1}`,
      name,
      mode: INCOME.includes(name) ? 'income' : 'envelope',
      hidden: name === HIDDEN,
      origin,
      categories: [],
    };
    groups.set(name, group);
    const id = `category-${ids.size + 1}`;
    group.categories.push({ id, name: category, note: null, hidden: false, origin });
    ids.set(keyOf(line), id);
  }
  const payments = groups.get(PAYMENTS)?.categories.map(({ name }) => name) ?? [];
  return {
    idOf,
    isIncome: ({ group }) => INCOME.includes(group),
    groups: () => [...groups.values()],
    payments,
    paymentOf: account => idOf({ group: PAYMENTS, category: account, origin: '' }),
  };
}

export function isPayment({ group }: InCategory): boolean {
  return group === PAYMENTS;
}

function isNone({ group, category }: InCategory): boolean {
  return category === '' || (category === NONE && (group === '' || group === INTERNAL));
}

function keyOf({ group, category }: InCategory): string {
  return JSON.stringify([group, category]);
}
