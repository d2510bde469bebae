// Finds the accounts of a budget again: by name, and a renamed one by its rows.
import { groupBy } from '../../process/group-by.ts';
import type { BudgetPlan } from '../plan.ts';
import type { CurrentBudget } from './changes.ts';
import { type IdMatches, matchNames, vote } from './id-matches.ts';

export function matchAccounts(
  { accounts, rows, payees }: BudgetPlan,
  { documents, head }: CurrentBudget,
  matches: IdMatches,
): IdMatches {
  const set = head.set ?? '';
  const current = documents.all('accounts', set);
  matchNames(matches, accounts, current);
  if (accounts.every(({ id }) => matches.found(id) !== null)) return matches;
  const names = new Map(payees.map(({ id, name }) => [id, name]));
  const ofFreeAccounts = documents
    .all('rows', set)
    .filter(({ accountId }) => matches.isFree(accountId));
  const holders = groupBy(ofFreeAccounts, ({ date, amount, payeeName, memo }) =>
    JSON.stringify([date, amount, payeeName, memo]),
  );
  const meetings = rows.flatMap(({ date, amount, payeeId, memo, accountId }) => {
    const payee = payeeId === null ? null : (names.get(payeeId) ?? null);
    const old = holders.get(JSON.stringify([date, amount, payee, memo ?? '']))?.pop();
    return old ? [[accountId, old.accountId] as const] : [];
  });
  vote(matches, meetings);
  return matches;
}
