// Finds the accounts of a budget again: by name, and a renamed one by its rows.
import type { BudgetPlan } from '../plan.ts';
import type { CurrentBudget } from './changes.ts';
import { type IdMatches, vote } from './id-matches.ts';

export function matchAccounts(
  { accounts, rows, payees }: BudgetPlan,
  { documents, head }: CurrentBudget,
  matches: IdMatches,
): IdMatches {
  const set = head.set ?? '';
  const current = documents.all('accounts', set);
  const ids = new Map(current.map(({ id, name }) => [name, id]));
  for (const { id, name } of accounts) {
    const old = ids.get(name);
    if (old !== undefined) matches.match(id, old);
  }
  if (accounts.every(({ id }) => matches.found(id) !== null)) return matches;
  const names = new Map(payees.map(({ id, name }) => [id, name]));
  const holders = new Map<string, string[]>();
  for (const { date, amount, payeeName, memo, accountId } of documents.all('rows', set)) {
    if (!matches.isFree(accountId)) continue;
    const key = JSON.stringify([date, amount, payeeName, memo]);
    const alike = holders.get(key);
    if (alike) alike.push(accountId);
    else holders.set(key, [accountId]);
  }
  const meetings = rows.flatMap(({ date, amount, payeeId, memo, accountId }) => {
    const payee = payeeId === null ? null : (names.get(payeeId) ?? null);
    const old = holders.get(JSON.stringify([date, amount, payee, memo ?? '']))?.pop();
    return old === undefined ? [] : [[accountId, old] as const];
  });
  vote(matches, meetings);
  return matches;
}
