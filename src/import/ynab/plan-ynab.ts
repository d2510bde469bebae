// Plans the import of a YNAB export from its two tables; accounts are in neither, so they are inferred.
import { shown } from '../../process/printable.ts';
import { createImportProblems } from '../import-problems.ts';
import { createNameIds, type NameIds } from '../name-ids.ts';
import { normalizePlan } from '../normalize-plan.ts';
import { type BudgetPlan, count, type PlannedAccount, type PlannedRow } from '../plan.ts';
import { type AccountFacts, accountFacts, transferAccount } from './account-facts.ts';
import { cardCarryOvers, cardNotes, isDebtOfPayment } from './cards.ts';
import { type CategoryBook, createCategoryBook } from './category-book.ts';
import { compareActivity } from './compare-figures.ts';
import { mergeLines } from './merge-lines.ts';
import { rowType, STARTING } from './names.ts';
import type { RegisterRow, YnabExport } from './read-ynab.ts';

const CLEARED = ['Uncleared', 'Cleared', 'Reconciled'];

/** @param offBudget names of the off-budget accounts; null infers them from their rows */
export function planYnab(
  { rows, lines: all }: YnabExport,
  name: string | null,
  offBudget: readonly string[] | null,
): BudgetPlan {
  const { lines, merged } = mergeLines(all);
  const categories = createCategoryBook(lines, rows);
  const facts = accountFacts(rows, categories.payments, offBudget);
  const { accounts, payees, planned, splits } = planRows(rows, categories, facts);
  const assigned = lines.flatMap(line => {
    const { origin, month, assigned: amount } = line;
    const categoryId = categories.idOf(line);
    const counts = amount !== 0 && categoryId !== null && !categories.isIncome(line);
    return counts ? [{ origin, month, categoryId, amount }] : [];
  });
  const plan = normalizePlan({
    name,
    currency: null,
    accounts,
    groups: categories.groups(),
    payees: payees.all(),
    successors: { payees: new Map(), categories: new Map() },
    rows: planned,
    assigned,
    carryOvers: cardCarryOvers(
      new Map(categories.payments.map(card => [card, categories.paymentOf(card) ?? ''])),
      lines.map(({ month }) => month),
      planned,
    ),
    holds: [],
    differences: [],
    notes: [
      ...factNotes(facts),
      ...merged.map(
        one =>
          `Several categories are called ${shown(one)}, which is one here with the sum of their amounts`,
      ),
      ...(splits.alone === 0
        ? []
        : [
            `${count(splits.alone, 'row is', 'rows are')} marked as legs of splits whose others are missing: entered alone`,
          ]),
    ],
  });
  const activity = compareActivity(
    lines.filter(line => !categories.isPayment(line)),
    rows,
    account => facts.isOnBudget(account),
  );
  return { ...plan, ...activity, notes: [...plan.notes, ...activity.notes] };
}

function planRows(rows: readonly RegisterRow[], categories: CategoryBook, facts: AccountFacts) {
  const problems = createImportProblems();
  const accountIds = createNameIds('account');
  const payees = createNameIds('payee');
  const splits = findSplits(rows);
  // Ids follow the register's order, newest first; rows are entered oldest first.
  const planned = rows.map((row, index) => {
    if (!CLEARED.includes(row.cleared)) {
      problems.add(
        row.origin,
        `Expected Cleared to be ${CLEARED.join(', ')}, got ${shown(row.cleared)}`,
      );
    }
    return planRow(row, index, { accountIds, payees, categories, splits });
  });
  problems.throwIfAny();
  const isNewestFirst = (rows[0]?.date ?? '') > (rows.at(-1)?.date ?? '');
  if (isNewestFirst) planned.reverse();
  planned.sort((one, other) => Number(one.date > other.date) - Number(one.date < other.date));
  const accounts = accountIds.all().map((account): PlannedAccount => {
    const { type, onBudget } = facts.of(account.name);
    return { ...account, type, onBudget, closed: false };
  });
  return { accounts, payees, planned, splits };
}

interface RowContext {
  readonly accountIds: NameIds;
  readonly payees: NameIds;
  readonly categories: CategoryBook;
  readonly splits: Splits;
}

function planRow(row: RegisterRow, index: number, context: RowContext): PlannedRow {
  const { origin, date, account, payee, amount, flag, cleared } = row;
  const { accountIds, payees, categories, splits } = context;
  const split = splits.legs.get(index);
  const memo = split?.memo ?? row.memo;
  const other = transferAccount(row);
  const ownId = categories.idOf(row);
  const payment = payee === STARTING ? categories.paymentOf(account) : null;
  const named = ownId === null ? null : categories.isIncome(row) ? 'income' : 'envelope';
  return {
    origin,
    id: `transaction-${index + 1}`,
    date,
    accountId: accountIds.idOf(account, origin),
    payeeId: other !== null || payee === '' ? null : payees.idOf(payee, origin),
    categoryId: payment !== null && isDebtOfPayment(named, amount) ? payment : ownId,
    memo: memo === '' ? null : memo,
    amount,
    type: rowType(payee),
    transferAccountId: other === null ? null : accountIds.idOf(other, origin),
    cleared: cleared !== 'Uncleared',
    reconciled: cleared === 'Reconciled',
    splitGroupId: split?.splitGroupId ?? null,
    labels: flag === '' ? [] : [flag],
  };
}

function factNotes({ offBudget, areGiven, cards }: AccountFacts): string[] {
  const names = offBudget.map(account => JSON.stringify(account)).join(', ') || 'none';
  const reason = areGiven ? '' : '; those without categories are (--off-budget says it otherwise)';
  const notes = [
    `Accounts off budget: ${names}${reason}`,
    'Types of accounts, and which are closed, are not in an export: all are open, and checking accounts but for credit cards and accounts off budget',
  ];
  return [...notes, ...cardNotes(cards)];
}

interface Splits {
  /** By index of the row: the id that all legs of its split share, and the memo without the mark. */
  readonly legs: ReadonlyMap<number, { readonly splitGroupId: string; readonly memo: string }>;
  /** Number of marked rows with missing other legs; they keep their memos and belong to no split. */
  readonly alone: number;
}

const MARK = /^Split \((\d{1,4})\/(\d{1,4})\) ?/;

/** The splits of one account, date and number of legs. */
interface Alike {
  /** How often each leg's number came. */
  readonly counts: Map<number, number>;
  /** The rows of each split so far. */
  readonly splits: number[][];
}

/** Finds the legs of splits: YNAB's register marks them only in the memo, as in `Split (1/3) the memo`. */
export function findSplits(
  rows: readonly Pick<RegisterRow, 'account' | 'date' | 'memo'>[],
): Splits {
  const legs = new Map<number, { splitGroupId: string; memo: string }>();
  const alike = new Map<string, Alike>();
  let alone = 0;
  let splits = 0;
  for (const [index, { account, date, memo }] of rows.entries()) {
    const [, number = 0, total = 0] = MARK.exec(memo)?.map(Number) ?? [];
    if (number < 1 || number > total) continue;
    const key = JSON.stringify([account, date, total]);
    const { counts, splits: known } = alike.get(key) ?? { counts: new Map(), splits: [] };
    alike.set(key, { counts, splits: known });
    // Each number fills the splits in their order, so this is the first split without the leg.
    const at = counts.get(number) ?? 0;
    counts.set(number, at + 1);
    const split = known[at] ?? [];
    known[at] = split;
    split.push(index);
    alone += 1;
    if (split.length < total) continue;
    splits += 1;
    alone -= split.length;
    for (const leg of split) {
      const text = rows[leg]?.memo ?? '';
      legs.set(leg, { splitGroupId: `split-${splits}`, memo: text.replace(MARK, '') });
    }
  }
  return { legs, alone };
}
