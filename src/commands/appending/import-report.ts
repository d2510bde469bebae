// What `import` prints: the contents of the file, the events that would come, the balances that can be read.
import type { Hundredths } from '../../../projections/documents.ts';
import { formatMoney } from '../../../projections/money.ts';
import type { ImportedEvent } from '../../import/import-events.ts';
import { type BudgetPlan, count } from '../../import/plan.ts';
import { groupBy } from '../../process/group-by.ts';
import { cell } from '../../process/printable.ts';
import type { WholeBudget } from '../../store/reading/whole-budget.ts';

/** A dry run shows so many events of each type. */
const EXAMPLES_MAX = 3;

export function describePlan({ accounts, groups, payees, rows, assigned }: BudgetPlan): string[] {
  const categories = groups.flatMap(group => group.categories).length;
  const labels = new Set(rows.flatMap(row => row.labels)).size;
  const things = [
    count(accounts.length, 'account'),
    count(groups.length, 'group'),
    count(categories, 'category', 'categories'),
    count(payees.length, 'payee'),
    count(labels, 'label'),
  ];
  const [first, last] = [rows[0]?.date, rows.at(-1)?.date];
  const dated = first === undefined ? '' : `, dated ${first} to ${last}`;
  return [
    things.join(', '),
    `${count(rows.length, 'transaction')}${dated}; ${count(assigned.length, 'assigned amount')}`,
  ];
}

/** Returns the events that would come, by type, and the balances after them. */
export function describeDryRun(events: readonly ImportedEvent[], plan: BudgetPlan): string[] {
  const byType = groupBy(events, ({ event }) => event.type);
  const types = [...byType].flatMap(([type, all]) => [
    `  ${all.length.toLocaleString('en-US')} × ${type}`,
    ...all.slice(0, EXAMPLES_MAX).map(({ event }) => `      ${JSON.stringify(event.data)}`),
  ]);
  const balances = new Map<string, Hundredths>(plan.accounts.map(({ id }) => [id, 0]));
  for (const { accountId, amount } of plan.rows) {
    balances.set(accountId, (balances.get(accountId) ?? 0) + amount);
  }
  const lines = plan.accounts.map(({ id, name }) => ({ name, balance: balances.get(id) ?? 0 }));
  return [
    `${count(events.length, 'event')} would be appended; nothing was`,
    ...types,
    ...[...describePlan(plan), ...plan.differences, ...plan.notes].map(line => `  ${line}`),
    ...describeBalances(lines),
  ];
}

/** Returns the balances of a budget as they can be read, future rows included. */
export function describeImported(budget: WholeBudget | null): string[] {
  const accounts = budget?.documents.all('accounts', budget.head.set ?? '') ?? [];
  const inOrder = [...accounts].sort((one, other) => (one.position ?? 0) - (other.position ?? 0));
  const lines = inOrder.map(({ name, cleared, uncleared }) => ({
    name,
    balance: cleared + uncleared,
  }));
  return describeBalances(lines);
}

function describeBalances(
  accounts: readonly { readonly name: string; readonly balance: Hundredths }[],
): string[] {
  const texts = accounts.map(({ name, balance }) => ({
    name: cell(name),
    text: formatMoney(balance),
  }));
  const width = Math.max(0, ...texts.map(({ name }) => name.length));
  const digits = Math.max(0, ...texts.map(({ text }) => text.length));
  const lines = texts.map(({ name, text }) => `  ${name.padEnd(width)}  ${text.padStart(digits)}`);
  return lines.length === 0 ? [] : ['Balances', ...lines];
}
