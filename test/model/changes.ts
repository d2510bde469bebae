// When each thing of a budget last changed, found by comparing everything before and after each event.
import { compareText } from './normalize-text.ts';
import type { Budget } from './state.ts';
import { accountJson, transactionJson } from './things.ts';

/** By `kind/id`: the sequence of the last change of what lives, and of the last deletion of what once lived. */
export interface Changes {
  changed: Map<string, number>;
  deleted: Map<string, number>;
  /** The texts that were compared last. */
  forms: Map<string, string>;
}

export function noChanges(): Changes {
  return { changed: new Map(), deleted: new Map(), forms: new Map() };
}

/** To be called after each applied event of a budget. */
export function noteChanges(changes: Changes, budget: Budget, sequence: number): void {
  const now = formsOf(budget);
  for (const [key, form] of now) {
    if (changes.forms.get(key) !== form) changes.changed.set(key, sequence);
  }
  for (const key of changes.forms.keys()) {
    if (now.has(key)) continue;
    changes.changed.delete(key);
    changes.deleted.set(key, sequence);
  }
  changes.forms = now;
}

/** Everything as text, by `kind/id`. An account contains its rows: which of them count today is not known. */
function formsOf(budget: Budget): Map<string, string> {
  const forms = new Map<string, string>();
  const rows = [...budget.rows.values()];
  for (const account of budget.accounts.values()) {
    const own = rows
      .filter(({ accountId }) => accountId === account.id)
      .map(({ id, date, amount, amountNative, cleared }) =>
        [id, date, amount, amountNative, cleared].join(' '),
      );
    // Where an account stands in the list is not shown.
    const { position: _, ...shown } = account;
    forms.set(`account/${account.id}`, JSON.stringify([shown, own.sort()]));
  }
  for (const { id, name, hidden, budgetMode } of budget.groups.values()) {
    forms.set(`categoryGroup/${id}`, JSON.stringify([name, hidden, budgetMode]));
  }
  for (const { id, groupId, name, hidden, note } of budget.categories.values()) {
    forms.set(`category/${id}`, JSON.stringify([groupId, name, hidden, note]));
  }
  for (const { id, name } of budget.payees.values()) forms.set(`payee/${id}`, name);
  for (const { id, name } of budget.labels.values()) forms.set(`label/${id}`, name);
  for (const row of rows) {
    forms.set(`transaction/${row.id}`, JSON.stringify(transactionJson(budget, row)));
  }
  return forms;
}

/** The lists of /changes for a client that knows everything up to the position `since`, without pages. */
export function changesBody(
  budget: Budget,
  changes: Changes,
  { since, today }: { since: number; today: string },
) {
  const later = <T extends { id: string }>(kind: string, things: Map<string, T>): T[] =>
    [...things.values()]
      .map(thing => ({ thing, changed: changes.changed.get(`${kind}/${thing.id}`) ?? 0 }))
      .filter(({ changed }) => changed > since)
      .sort((a, b) => a.changed - b.changed || compareText(a.thing.id, b.thing.id))
      .map(({ thing }) => thing);
  const { accounts, groups, categories, payees, labels, rows } = budget;
  return {
    accounts: later('account', accounts).map(account => accountJson(budget, account, today)),
    categoryGroups: later('categoryGroup', groups).map(({ id, name, hidden, budgetMode }) => ({
      id,
      name,
      hidden,
      budgetMode,
    })),
    categories: later('category', categories).map(({ id, groupId, name, hidden, note }) => ({
      id,
      groupId,
      name,
      hidden,
      note,
    })),
    payees: later('payee', payees).map(({ id, name }) => ({ id, name })),
    labels: later('label', labels).map(({ id, name }) => ({ id, name })),
    transactions: later('transaction', rows).map(row => transactionJson(budget, row)),
    deleted: deletedAfter(changes, since),
  };
}

/** A client that knows nothing has nothing to remove. */
function deletedAfter({ changed, deleted }: Changes, since: number) {
  if (since === 0) return [];
  return [...deleted]
    .filter(([key, sequence]) => sequence > since && !changed.has(key))
    .sort(([a, first], [b, second]) => first - second || compareText(a, b))
    .map(([key]) => ({
      kind: key.slice(0, key.indexOf('/')),
      id: key.slice(key.indexOf('/') + 1),
    }));
}
