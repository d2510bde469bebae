// Finds the things of a budget again in a file without ids: accounts, groups, categories and payees by name, rows by
// what they say. What is not found by name is found by its rows, so that a renamed thing keeps its id.
import { UserError } from '../../process/errors.ts';
import { groupBy } from '../../process/group-by.ts';
import { type BudgetPlan, count, type PlannedAccount } from '../plan.ts';
import type { CurrentBudget } from './changes.ts';
import { createIdMatches, type IdMatches, matchNames, vote } from './id-matches.ts';
import { matchRows, type RowMatches } from './match-rows.ts';
import { KNOWN_PERCENT_MIN } from './update-budget.ts';

/**
 * Returns the plan with the ids of the budget, new ones for what is new.
 *
 * @throws UserError when too few of the budget's transactions are in the file as they were
 */
export function matchPlan(plan: BudgetPlan, budget: CurrentBudget): BudgetPlan {
  const { documents, head } = budget;
  const set = head.set ?? '';
  const idsOf = (prefix: string) => createIdMatches(`${prefix}-${head.sequence}`);
  const accounts = matchAccounts(plan, budget, idsOf('account'));
  const rows = matchRows(plan, documents.all('rows', set), accounts);
  checkKnown(rows, head.id, documents.all('rows', set).length);
  const pairs = plan.rows.flatMap(row => {
    const old = rows.found.get(row.id);
    return old ? [{ row, old }] : [];
  });
  const payees = idsOf('payee');
  matchNames(payees, plan.payees, documents.all('payees', set));
  const payeePairs = pairs.map(({ row, old }) => [row.payeeId, old.payeeId] as const);
  vote(payees, payeePairs);
  const groups = idsOf('group');
  matchNames(groups, plan.groups, documents.all('groups', set));
  const categories = idsOf('category');
  const inGroups = plan.groups.flatMap(group =>
    group.categories.map(category => ({ ...category, groupId: group.id })),
  );
  const placeOf = (groupId: string | null, name: string) => JSON.stringify([groupId, name]);
  const current = groupBy(documents.all('categories', set), one => placeOf(one.groupId, one.name));
  for (const { id, name, groupId } of inGroups) {
    const [same] = current.get(placeOf(groups.found(groupId), name)) ?? [];
    if (same) categories.match(id, same.id);
  }
  const categoryPairs = pairs.map(({ row, old }) => [row.categoryId, old.categoryId] as const);
  vote(categories, categoryPairs);
  const groupPairs = inGroups.map(({ id, groupId }) => {
    const old = documents.get('categories', set, categories.found(id) ?? '');
    return [groupId, old?.groupId ?? null] as const;
  });
  vote(groups, groupPairs);
  const splits = idsOf('split');
  const splitPairs = pairs.map(({ row, old }) => [row.splitGroupId, old.splitGroupId] as const);
  vote(splits, splitPairs);
  const transactions = idsOf('transaction');
  for (const { row, old } of pairs) transactions.match(row.id, old.id);
  return renamed(
    { ...plan, accounts: inOldOrder(plan.accounts, accounts, budget) },
    { accounts, payees, groups, categories, splits, transactions },
    notesOf(rows),
  );
}

/** The file names accounts in the order of their newest rows, which changes all the time. */
function inOldOrder(
  planned: readonly PlannedAccount[],
  accounts: IdMatches,
  { documents, head }: CurrentBudget,
): PlannedAccount[] {
  const positionOf = ({ id }: PlannedAccount) =>
    documents.get('accounts', head.set ?? '', accounts.found(id) ?? '')?.position ??
    Number.MAX_SAFE_INTEGER;
  return [...planned].sort((one, other) => positionOf(one) - positionOf(other));
}

interface AllMatches {
  readonly accounts: IdMatches;
  readonly payees: IdMatches;
  readonly groups: IdMatches;
  readonly categories: IdMatches;
  readonly splits: IdMatches;
  readonly transactions: IdMatches;
}

function renamed(plan: BudgetPlan, ids: AllMatches, notes: readonly string[]): BudgetPlan {
  const { accounts, payees, groups, categories, splits, transactions } = ids;
  const orNull = (matches: IdMatches, id: string | null) => (id === null ? null : matches.idOf(id));
  const inCategory = <T extends { readonly categoryId: string }>(one: T): T => ({
    ...one,
    categoryId: categories.idOf(one.categoryId),
  });
  return {
    ...plan,
    accounts: plan.accounts.map(one => ({ ...one, id: accounts.idOf(one.id) })),
    payees: plan.payees.map(one => ({ ...one, id: payees.idOf(one.id) })),
    groups: plan.groups.map(group => ({
      ...group,
      id: groups.idOf(group.id),
      categories: group.categories.map(one => ({ ...one, id: categories.idOf(one.id) })),
    })),
    rows: plan.rows.map(row => ({
      ...row,
      id: transactions.idOf(row.id),
      accountId: accounts.idOf(row.accountId),
      transferAccountId: orNull(accounts, row.transferAccountId),
      payeeId: orNull(payees, row.payeeId),
      categoryId: orNull(categories, row.categoryId),
      splitGroupId: orNull(splits, row.splitGroupId),
    })),
    assigned: plan.assigned.map(inCategory),
    carryOvers: plan.carryOvers.map(inCategory),
    notes: [...plan.notes, ...notes],
  };
}

function checkKnown({ same, found }: RowMatches, id: string, current: number): void {
  if (same * 100 >= current * KNOWN_PERCENT_MIN) return;
  const [all, alike] = [count(current, 'transaction'), found.size - same];
  throw new UserError(
    `Expected an export of budget ${id}, with at least ${KNOWN_PERCENT_MIN} % of its ${all} unchanged, got a file with ${same.toLocaleString('en-US')} of them, and ${alike.toLocaleString('en-US')} that are similar; nothing was appended`,
  );
}

function notesOf({ same, found, firstChanged }: RowMatches): string[] {
  if (firstChanged === null) return [];
  const changed = count(found.size - same, 'transaction');
  return [`${changed} taken for changed ones; the first: ${firstChanged}`];
}

/** Finds the accounts of a budget again: by name, and a renamed one by its rows. */
function matchAccounts(
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
