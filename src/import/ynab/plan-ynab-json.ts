// Plans the import of YNAB's JSON. Unlike the CSV export it has ids, account types, closed accounts and notes.
import type { Hundredths } from '../../../projections/documents.ts';
import { groupBy } from '../../process/group-by.ts';
import { shown } from '../../process/printable.ts';
import { type AccountType, assumedType, isAccountType } from '../account-types.ts';
import { createImportProblems, type ImportProblems } from '../import-problems.ts';
import { normalizePlan } from '../normalize-plan.ts';
import { type BudgetPlan, count, type PlannedGroup, type PlannedRow } from '../plan.ts';
import { cardCarryOvers, cardNotes, isDebtOfPayment } from './cards.ts';
import { compareSums, liveThings } from './compare-figures.ts';
import { HIDDEN, INTERNAL, NONE, PAYMENTS, rowType, STARTING } from './names.ts';
import type { YnabAccount, YnabBudget, YnabLeg, YnabTransaction } from './ynab-json.ts';

/** @throws UserError that lists every value that cannot be taken */
export function planYnabJson(budget: YnabBudget): BudgetPlan {
  const problems = createImportProblems();
  const facts = factsOf(budget);
  const rows = planRows(budget, facts, problems);
  const months = liveThings(budget.months).sort((one, other) => (one.month < other.month ? -1 : 1));
  const amount = (thousandths: number, origin: string) =>
    hundredthsOf(thousandths, origin, problems);
  const assigned = months.flatMap(({ month, categories }) =>
    categories.flatMap(({ id: categoryId, budgeted }) => {
      const mode = facts.modes.get(categoryId);
      if (budgeted === 0 || mode !== 'envelope') return [];
      const origin = `category ${categoryId} in ${month.slice(0, 7)}`;
      const cell = { origin, month: month.slice(0, 7), categoryId };
      return [{ ...cell, amount: amount(budgeted, origin) }];
    }),
  );
  problems.throwIfAny();
  const plan = normalizePlan({
    name: budget.name,
    currency: budget.currency_format?.iso_code ?? null,
    accounts: liveThings(budget.accounts).map(account => ({
      id: account.id,
      origin: `account ${account.id}`,
      name: account.name,
      type: typeOf(account),
      onBudget: account.on_budget,
      closed: account.closed,
    })),
    groups: planGroups(budget, facts),
    payees: standardPayees(budget).map(({ id, name }) => ({ id, name, origin: `payee ${id}` })),
    successors: { payees: new Map(), categories: new Map() },
    rows,
    assigned,
    carryOvers: cardCarryOvers(
      new Map([...facts.payments].map(([id, categoryId]) => [`account ${id}`, categoryId])),
      months.map(({ month }) => month.slice(0, 7)),
      rows,
    ),
    holds: [],
    differences: [],
    notes: notesOf(budget, facts),
  });
  return { ...plan, differences: compareSums(budget, rows) };
}

interface Facts {
  readonly accounts: ReadonlyMap<string, YnabAccount>;
  /** The group's mode, by the id of each live category. */
  readonly modes: ReadonlyMap<string, PlannedGroup['mode']>;
  /** The payment category of each credit card, by the id of its account. */
  readonly payments: ReadonlyMap<string, string>;
  readonly payees: ReadonlyMap<string, string>;
}

function factsOf(budget: YnabBudget): Facts {
  const accounts = new Map(liveThings(budget.accounts).map(account => [account.id, account]));
  const groups = new Map(liveThings(budget.category_groups).map(group => [group.id, group]));
  const cards = new Map(liveThings(budget.accounts).map(account => [account.name, account]));
  const modes = new Map<string, PlannedGroup['mode']>();
  const payments = new Map<string, string>();
  for (const { id, name, category_group_id } of liveThings(budget.categories)) {
    const group = groups.get(category_group_id);
    if (!group || (group.name === INTERNAL && name === NONE)) continue;
    modes.set(id, group.name === INTERNAL ? 'income' : 'envelope');
    const card = cards.get(name);
    if (group.name === PAYMENTS && card) payments.set(card.id, id);
  }
  const payees = new Map(standardPayees(budget).map(({ id, name }) => [id, name]));
  return { accounts, modes, payments, payees };
}

/** Returns the payees without those that stand for a transfer to an account, or have no name. */
function standardPayees({ payees }: YnabBudget) {
  return liveThings(payees).filter(
    ({ transfer_account_id, name }) => (transfer_account_id ?? null) === null && name !== '',
  );
}

function planGroups({ category_groups, categories }: YnabBudget, { modes }: Facts): PlannedGroup[] {
  const known = liveThings(categories).filter(({ id }) => modes.has(id));
  const inGroup = groupBy(known, ({ category_group_id }) => category_group_id);
  const groups = liveThings(category_groups).map(group => ({
    id: group.id,
    origin: `category group ${group.id}`,
    name: group.name,
    mode: group.name === INTERNAL ? ('income' as const) : ('envelope' as const),
    hidden: group.hidden || group.name === HIDDEN,
    categories: (inGroup.get(group.id) ?? []).map(({ id, name, note = null, hidden }) => ({
      id,
      origin: `category ${id}`,
      name,
      note,
      hidden,
    })),
  }));
  return groups.filter(group => group.categories.length > 0 || group.mode !== 'income');
}

/** The legs of a split are rows, in place of the whole. */
function planRows(budget: YnabBudget, facts: Facts, problems: ImportProblems): PlannedRow[] {
  const legs = groupBy(liveThings(budget.subtransactions), leg => leg.transaction_id);
  const whole = liveThings(budget.transactions).sort((one, other) =>
    one.date < other.date ? -1 : 1,
  );
  return whole.flatMap(transaction => {
    const parts = legs.get(transaction.id);
    if (!parts) return [planRow(transaction, transaction, { facts, problems })];
    return parts.map(leg => planRow(transaction, leg, { facts, problems }));
  });
}

function planRow(
  whole: YnabTransaction,
  part: YnabTransaction | YnabLeg,
  { facts, problems }: { readonly facts: Facts; readonly problems: ImportProblems },
): PlannedRow {
  const origin = `transaction ${part.id}`;
  if (!facts.accounts.has(whole.account_id)) {
    const got = shown(whole.account_id);
    problems.add(origin, `Expected the id of an account that is not deleted, got ${got}`);
  }
  const transferAccountId = isTransferLost(part, facts) ? null : (part.transfer_account_id ?? null);
  const payeeId = part.payee_id ?? whole.payee_id ?? null;
  const payee = facts.payees.get(payeeId ?? '') ?? '';
  const isStart = payee === STARTING;
  const category = part.category_id ?? null;
  const categoryId = category !== null && facts.modes.has(category) ? category : null;
  const payment = isStart ? (facts.payments.get(whole.account_id) ?? null) : null;
  const amount = hundredthsOf(part.amount, origin, problems);
  const named = facts.modes.get(categoryId ?? '') ?? null;
  const label = whole.flag_name || whole.flag_color || null;
  return {
    origin,
    id: part.id,
    date: whole.date,
    accountId: whole.account_id,
    payeeId: transferAccountId === null && payee !== '' ? payeeId : null,
    categoryId: payment !== null && isDebtOfPayment(named, amount) ? payment : categoryId,
    memo: part.memo ?? whole.memo ?? null,
    amount,
    type: rowType(payee),
    transferAccountId,
    cleared: whole.cleared !== 'uncleared',
    reconciled: whole.cleared === 'reconciled',
    splitGroupId: part.id === whole.id ? null : whole.id,
    labels: label === null ? [] : [label],
  };
}

/** Returns whether a transfer's other account was deleted, which leaves an ordinary row. */
function isTransferLost(
  { transfer_account_id: id = null }: Pick<YnabLeg, 'transfer_account_id'>,
  { accounts }: Facts,
): boolean {
  return id !== null && !accounts.has(id);
}

function hundredthsOf(thousandths: number, origin: string, problems: ImportProblems): Hundredths {
  if (thousandths % 10 === 0) return thousandths / 10;
  problems.add(origin, `Expected an amount of two decimals, got ${thousandths} thousandths`);
  return 0;
}

/** A type that came later than this program is an ordinary account, on budget or off. */
function typeOf({ type, on_budget, balance }: YnabAccount): AccountType {
  return isAccountType(type) ? type : assumedType(on_budget, balance);
}

function notesOf(budget: YnabBudget, facts: Facts): string[] {
  const scheduled = liveThings(budget.scheduled_transactions ?? []).length;
  const lost = [...liveThings(budget.transactions), ...liveThings(budget.subtransactions)].filter(
    one => isTransferLost(one, facts),
  ).length;
  const notes = [
    'The balances of the accounts and the activity of the categories were compared with the rows',
  ];
  if (scheduled > 0)
    notes.push(`${count(scheduled, 'scheduled transaction')} without a counterpart here: left out`);
  if (lost > 0)
    notes.push(`${count(lost, 'transfer')} to or from a deleted account: no transfer here`);
  return [...notes, ...cardNotes(facts.payments.size)];
}
