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
  /** Returns whether the line is of the payment category of a credit card. */
  isPayment(line: InCategory): boolean;
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
  const namesIn = (group: string) => groups.get(group)?.categories.map(({ name }) => name) ?? [];
  const hidden = hiddenCards(namesIn(HIDDEN), rows);
  return {
    idOf,
    isIncome: ({ group }) => INCOME.includes(group),
    isPayment: ({ group, category }) =>
      group === PAYMENTS || (group === HIDDEN && hidden.includes(category)),
    groups: () => [...groups.values()],
    payments: [...new Set([...namesIn(PAYMENTS), ...hidden])],
    paymentOf: account =>
      idOf({ group: PAYMENTS, category: account, origin: '' }) ??
      (hidden.includes(account) ? idOf({ group: HIDDEN, category: account, origin: '' }) : null),
  };
}

/**
 * Returns the accounts whose payment category is hidden, as that of a closed card: it stands among the hidden ones, under
 * the account's name, and no row has it.
 */
function hiddenCards(categories: readonly string[], rows: readonly RegisterRow[]): string[] {
  const accounts = new Set(rows.map(({ account }) => account));
  const used = new Set(rows.filter(({ group }) => group === HIDDEN).map(row => row.category));
  return categories.filter(name => accounts.has(name) && !used.has(name));
}

function isNone({ group, category }: InCategory): boolean {
  return category === '' || (category === NONE && (group === '' || group === INTERNAL));
}

function keyOf({ group, category }: InCategory): string {
  return JSON.stringify([group, category]);
}
