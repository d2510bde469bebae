// Random contents of a file, and of a later export of the same budget, from small pools of ids.
import { normalizePlan } from '../../../src/import/normalize-plan.ts';
import type {
  BudgetPlan,
  PlannedAccount,
  PlannedGroup,
  PlannedRow,
} from '../../../src/import/plan.ts';
import type { Random } from '../../histories/random.ts';

const pool = (prefix: string, size: number) =>
  Array.from({ length: size }, (_, index) => `${prefix}${index + 1}`);

const ACCOUNTS = pool('a', 4);
const GROUPS = pool('g', 4);
const CATEGORIES = pool('c', 7);
const PAYEES = pool('p', 5);
const ROWS = pool('r', 24);
const LABELS = ['trip', 'tax', 'gift', 'home'];
const MONTHS = ['2025-11', '2025-12', '2026-01', '2026-02', '2026-03', '2026-04'];
const TYPES = ['checking', 'savings', 'otherAsset'] as const;
const MODES = ['envelope', 'income', 'unfunded'] as const;
const ROW_TYPES = ['standard', 'startingBalance', 'reconciliation'] as const;

/** Returns a later plan of the same budget: most things of `before` are unchanged in it. */
export function randomPlan(random: Random, before: BudgetPlan | null = null): BudgetPlan {
  const accounts = accountsOf(random, before);
  const groups = groupsOf(random, before);
  const payees = kept(random, PAYEES, before?.payees).map(id => {
    const name = stay(random, before?.payees.find(one => one.id === id)?.name, () => word(random));
    return { id, name, origin: id };
  });
  const categoryIds = groups.flatMap(({ categories }) => categories.map(({ id }) => id));
  const payeeIds = payees.map(({ id }) => id);
  const accountIds = accounts.map(({ id }) => id);
  const rows = keptRows(random, before).map(id =>
    rowOf(
      random,
      { id, accountIds, categoryIds, payeeIds },
      before?.rows.find(r => r.id === id),
    ),
  );
  return normalizePlan({
    name: 'Random',
    currency: 'EUR',
    accounts,
    groups,
    payees,
    successors: {
      payees: successors(random, PAYEES, payeeIds),
      categories: successors(random, CATEGORIES, categoryIds),
    },
    rows,
    ...monthsOf(random, categoryIds),
    differences: [],
    notes: [],
  });
}

function accountsOf(random: Random, before: BudgetPlan | null): PlannedAccount[] {
  const ids = kept(random, ACCOUNTS, before?.accounts);
  // Without an account there would be no rows.
  if (ids.length === 0) ids.push('a1');
  return shuffled(random, ids).map(id => {
    const old = before?.accounts.find(one => one.id === id);
    return {
      id,
      origin: id,
      name: stay(random, old?.name, () => word(random)),
      type: stay(random, old?.type, () => random.pick(TYPES)),
      onBudget: stay(random, old?.onBudget, () => random.chance(0.7)),
      closed: stay(random, old?.closed, () => random.chance(0.2)),
    };
  });
}

function groupsOf(random: Random, before: BudgetPlan | null): PlannedGroup[] {
  const old = new Map(before?.groups.map(group => [group.id, group]));
  const oldCategories = before?.groups.flatMap(group =>
    group.categories.map(category => ({ ...category, groupId: group.id })),
  );
  const ids = shuffled(random, kept(random, GROUPS, before?.groups));
  const categories = shuffled(
    random,
    ids.length > 0 ? kept(random, CATEGORIES, oldCategories) : [],
  );
  const chosenGroups = new Map(
    categories.map(id => {
      const groupId = oldCategories?.find(one => one.id === id)?.groupId;
      const stays = groupId !== undefined && ids.includes(groupId) && random.chance(0.8);
      return [id, stays ? groupId : random.pick(ids)];
    }),
  );
  return ids.map(id => ({
    id,
    origin: id,
    name: stay(random, old.get(id)?.name, () => word(random)),
    mode: stay(random, old.get(id)?.mode, () => random.pick(MODES)),
    hidden: stay(random, old.get(id)?.hidden, () => random.chance(0.2)),
    categories: categories
      .filter(category => chosenGroups.get(category) === id)
      .map(category => {
        const past = oldCategories?.find(one => one.id === category);
        return {
          id: category,
          origin: category,
          name: stay(random, past?.name, () => word(random)),
          note: stay(random, past?.note, () => (random.chance(0.3) ? word(random) : null)),
          hidden: stay(random, past?.hidden, () => random.chance(0.2)),
        };
      }),
  }));
}

interface Known {
  readonly id: string;
  readonly accountIds: readonly string[];
  readonly categoryIds: readonly string[];
  readonly payeeIds: readonly string[];
}

function rowOf(random: Random, known: Known, old: PlannedRow | undefined): PlannedRow {
  const { id, accountIds, categoryIds, payeeIds } = known;
  const among = (ids: readonly string[], share: number) =>
    ids.length > 0 && random.chance(share) ? random.pick(ids) : null;
  const stillThere = (one: string | null | undefined, ids: readonly string[]) =>
    one === null || (one !== undefined && ids.includes(one)) ? one : undefined;
  const reconciled = stay(random, old?.reconciled, () => random.chance(0.3));
  return {
    id,
    origin: id,
    date: stay(random, old?.date, () => `${random.pick(MONTHS)}-1${random.below(9)}`),
    accountId: stay(random, stillThere(old?.accountId, accountIds) ?? undefined, () =>
      random.pick(accountIds),
    ),
    payeeId: stay(random, stillThere(old?.payeeId, payeeIds), () => among(payeeIds, 0.7)),
    categoryId: stay(random, stillThere(old?.categoryId, categoryIds), () =>
      among(categoryIds, 0.8),
    ),
    memo: stay(random, old?.memo, () => (random.chance(0.4) ? word(random) : null)),
    amount: stay(random, old?.amount, () => random.between(-50_000, 50_000)),
    type: stay(random, old?.type, () => random.pick(ROW_TYPES)),
    transferAccountId: stay(random, stillThere(old?.transferAccountId, accountIds), () =>
      among(accountIds, 0.3),
    ),
    cleared: reconciled || stay(random, old?.cleared, () => random.chance(0.5)),
    reconciled,
    splitGroupId: stay(random, old?.splitGroupId, () => (random.chance(0.1) ? 'split' : null)),
    labels: stay(random, old?.labels, () => random.some(LABELS, random.below(3))),
  };
}

function monthsOf(
  random: Random,
  categoryIds: readonly string[],
): Pick<BudgetPlan, 'assigned' | 'carryOvers' | 'holds'> {
  const cells = categoryIds.flatMap(categoryId =>
    random.some(MONTHS, random.below(4)).map(month => ({ origin: month, categoryId, month })),
  );
  const marks = categoryIds.flatMap(categoryId => {
    const first = random.chance(0.5);
    return random
      .some(MONTHS, random.below(4))
      .sort()
      .map((month, index) => ({
        origin: month,
        categoryId,
        month,
        carriesOver: first === (index % 2 === 0),
      }));
  });
  return {
    assigned: cells.map(cell => ({ ...cell, amount: random.between(-9999, 9999) })),
    carryOvers: marks,
    holds: random
      .some(MONTHS, random.below(3))
      .map(month => ({ origin: month, month, amount: random.between(1, 9999) })),
  };
}

/** Returns the ids that are there: at first most of the pool, later most of the old ones and a few more. */
function kept(
  random: Random,
  ids: readonly string[],
  old: readonly { readonly id: string }[] | undefined,
): string[] {
  const before = new Set(old?.map(({ id }) => id));
  return ids.filter(id => random.chance(old === undefined || before.has(id) ? 0.8 : 0.4));
}

/** At least half of the old rows stay, as a file with fewer is refused. */
function keptRows(random: Random, before: BudgetPlan | null): string[] {
  if (!before) return random.some(ROWS, random.between(0, 18));
  const old = before.rows.map(({ id }) => id);
  const staying = random.some(old, random.between(Math.ceil(old.length / 2), old.length));
  const others = ROWS.filter(id => !old.includes(id));
  return [...staying, ...random.some(others, random.below(4))];
}

function successors(
  random: Random,
  all: readonly string[],
  there: readonly string[],
): Map<string, string> {
  const gone = all.filter(id => !there.includes(id));
  return new Map(gone.filter(() => random.chance(0.5)).map(id => [id, random.pick(all)]));
}

function stay<T>(random: Random, old: T | undefined, make: () => T): T {
  return old !== undefined && random.chance(0.8) ? old : make();
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  return random.some(items, items.length);
}

function word(random: Random): string {
  return random.pick(['Rent', 'food', 'Äpfel', 'Bus', 'x', 'Café']);
}
