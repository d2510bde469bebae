// The figures of the budget that Actual's engine has open.
import { formatMoney } from '../../projections/money.ts';
import { lastDayOf } from '../model/calendar.ts';
import type { Account, Engine, Group, Leg, Payee, Transaction } from './engine.ts';
import { addEngineSums, type SumKind, type SummedRow } from './engine-sums.ts';
import { addFields, type Figures } from './figures.ts';

/** @param today the date of the balances that a list of accounts shows */
export async function engineFigures(engine: Engine, today: string): Promise<Figures> {
  const figures = new Map<string, string>();
  const months = await engine.months();
  await addMonths(figures, engine, months);
  const accounts = await engine.accounts();
  for (const { id, name, offbudget, closed } of accounts) {
    const balance = formatMoney(await engine.balance(id, today));
    addFields(figures, `account ${id}`, { name, onBudget: !offbudget, closed, balance });
    for (const date of months.map(lastDayOf)) {
      figures.set(`account ${id} ${date}`, formatMoney(await engine.balance(id, date)));
    }
  }
  const groups = await engine.groups();
  await addCategories(figures, engine, groups);
  const payees = await engine.payees();
  for (const { id, name, transfer_acct } of payees) {
    if (transfer_acct === null) figures.set(`payee ${id}`, name);
  }
  const known = knownThings(accounts, groups, payees);
  const transactions = await engine.transactions();
  for (const { id, fields } of rowsOf(transactions, known)) {
    addFields(figures, `row ${id}`, fields);
  }
  await addSums(figures, engine, { transactions, known });
  return figures;
}

/** As with rows, a leg has the payee of the whole if it names none, and the payee of a transfer is none. */
async function addSums(
  figures: Map<string, string>,
  engine: Engine,
  { transactions, known }: { readonly transactions: Transaction[]; readonly known: Known },
): Promise<void> {
  const payeeOf = new Map(transactions.map(({ id, payee }) => [id, payee]));
  const inCategory = (id: string | null) => (id !== null && known.categories.has(id) ? id : null);
  const toPayee = (row: SummedRow) => {
    const found = known.payees.get(row.payee ?? payeeOf.get(row.parent_id ?? '') ?? '');
    return row.transfer_id === null && found?.transfer_acct === null ? found.id : null;
  };
  const kinds: readonly SumKind[] = [
    { kind: 'account', by: ['account'], thingOf: ({ account }) => account },
    { kind: 'category', by: ['category'], thingOf: ({ category }) => inCategory(category) },
    { kind: 'payee', by: ['payee', 'parent_id', 'transfer_id'], thingOf: toPayee },
  ];
  for (const kind of kinds) await addEngineSums(figures, engine, kind);
}

async function addMonths(
  figures: Map<string, string>,
  engine: Engine,
  months: readonly string[],
): Promise<void> {
  for (const [index, name] of months.entries()) {
    const month = await engine.month(name);
    addFields(figures, name, {
      readyToAssign: formatMoney(month.toBudget),
      assigned: formatMoney(0 - month.totalBudgeted),
      heldForNextMonth: formatMoney(month.held),
    });
    const before = months[index - 1];
    if (before !== undefined) {
      figures.set(`${before} overspentTotal`, formatMoney(0 - month.lastMonthOverspent));
    }
    for (const { id, budgeted, spent, balance, carryover } of month.envelopes) {
      addFields(figures, `${name} ${id}`, {
        assigned: formatMoney(budgeted),
        activity: formatMoney(spent),
        available: formatMoney(balance),
        carriesOver: carryover,
      });
    }
  }
}

async function addCategories(
  figures: Map<string, string>,
  engine: Engine,
  groups: readonly Group[],
): Promise<void> {
  figures.set('order of groups', groups.map(({ id }) => id).join(' '));
  for (const { id, name, hidden, is_income, categories } of groups) {
    const budgetMode = is_income ? 'income' : 'envelope';
    const order = categories.map(category => category.id).join(' ');
    addFields(figures, `group ${id}`, { name, hidden, budgetMode, order });
    for (const category of categories) {
      const note = (await engine.note(category.id)) || null;
      addFields(figures, `category ${category.id}`, {
        name: category.name,
        hidden: category.hidden,
        note,
      });
    }
  }
}

interface Known {
  readonly accounts: ReadonlyMap<string, Account>;
  readonly categories: ReadonlySet<string>;
  readonly payees: ReadonlyMap<string, Payee>;
}

function knownThings(accounts: Account[], groups: Group[], payees: Payee[]): Known {
  return {
    accounts: new Map(accounts.map(one => [one.id, one])),
    categories: new Set(groups.flatMap(group => group.categories).map(({ id }) => id)),
    payees: new Map(payees.map(one => [one.id, one])),
  };
}

/** docs/import.md: the legs of a split are rows, and take what they lack from the whole. */
function rowsOf(transactions: readonly Transaction[], known: Known) {
  const accountOf = new Map<string, string>();
  for (const { subtransactions, ...one } of transactions) {
    for (const { id, account } of [one, ...subtransactions]) accountOf.set(id, account);
  }
  const row = (leg: Leg, whole: Transaction | null) => ({
    id: leg.id,
    fields: fieldsOf(leg, { whole, known, accountOf }),
  });
  return transactions.flatMap(one =>
    one.is_parent ? one.subtransactions.map(leg => row(leg, one)) : [row(one, null)],
  );
}

interface RowPlace {
  readonly whole: Transaction | null;
  readonly known: Known;
  /** The account of every transaction, also of legs. */
  readonly accountOf: ReadonlyMap<string, string>;
}

function fieldsOf(leg: Leg, { whole, known, accountOf }: RowPlace) {
  const payee = known.payees.get(leg.payee ?? whole?.payee ?? '');
  const categoryId =
    leg.category !== null && known.categories.has(leg.category) ? leg.category : null;
  const other =
    leg.transfer_id === null
      ? null
      : (payee?.transfer_acct ?? accountOf.get(leg.transfer_id) ?? null);
  const isOnBudget = (id: string) => known.accounts.get(id)?.offbudget === false;
  const isInside = other !== null && isOnBudget(leg.account) && isOnBudget(other);
  const isForbidden = other === leg.account || (isInside && categoryId !== null);
  return {
    date: leg.date,
    accountId: leg.account,
    amount: formatMoney(leg.amount),
    categoryId,
    payeeName: other === null && payee?.transfer_acct === null ? payee.name : null,
    memo: leg.notes ?? whole?.notes ?? '',
    cleared: leg.cleared || leg.reconciled,
    reconciled: leg.reconciled,
    transferAccountId: isForbidden ? null : other,
    splitGroupId: whole?.id ?? null,
  };
}
