// The state of a budget that a random history needs to name only live things.
import type { TransactionEntered } from '../../schemas/generated/events.ts';
import type { Random } from './random.ts';

export type Kind = 'account' | 'group' | 'category' | 'payee' | 'label' | 'transaction';

export interface LiveBudget {
  isWild: boolean;
  currency: string;
  accounts: Map<string, { onBudget: boolean; currency: string | null }>;
  groups: Set<string>;
  /** The group of each category. */
  categories: Map<string, string>;
  payees: Set<string>;
  labels: Set<string>;
  rows: Map<string, TransactionEntered>;
  /** Sum of all absolute amounts so far, in hundredths: at least that of the live rows, so the guard holds. */
  moneyTotal: bigint;
  nextId: number;
  dead: Record<Kind, Set<string>>;
}

export function createLiveBudget(currency: string, isWild: boolean): LiveBudget {
  return {
    isWild,
    currency,
    accounts: new Map(),
    groups: new Set(),
    categories: new Map(),
    payees: new Set(),
    labels: new Set(),
    rows: new Map(),
    moneyTotal: 0n,
    nextId: 1,
    dead: {
      account: new Set(),
      group: new Set(),
      category: new Set(),
      payee: new Set(),
      label: new Set(),
      transaction: new Set(),
    },
  };
}

/** Returns a new id, or one of a deleted thing that may exist again. */
export function freshId(random: Random, live: LiveBudget, kind: Kind): string {
  if (live.dead[kind].size > 0 && random.chance(0.2)) {
    const id = random.pick(live.dead[kind]);
    live.dead[kind].delete(id);
    return id;
  }
  const plain = `${kind}-${live.nextId++}`;
  if (!live.isWild || !random.chance(0.1)) return plain;
  return random.pick([`${plain}:.~_-Z`, `_${plain}`, plain.padEnd(128, 'x'), plain.toUpperCase()]);
}

/** Returns an id that is not live: unused or deleted. */
export function ghostId(random: Random, live: LiveBudget, kind: Kind): string {
  const isDead = live.dead[kind].size > 0 && random.chance(0.5);
  return isDead ? random.pick(live.dead[kind]) : `ghost-${random.below(1000)}`;
}

const GUARD = 2n ** 51n;

/** Returns money as text: mostly everyday amounts, some tiny, some as large as the guard still allows. */
export function randomMoney(random: Random, live: LiveBudget, sign: 'any' | 'positive'): string {
  const dice = random.next();
  let hundredths = BigInt(random.between(100, 500_000));
  if (dice < 0.05) hundredths = BigInt(random.below(3));
  else if (dice < 0.1) hundredths = BigInt(random.between(1, 99));
  else if (dice < 0.12) hundredths = BigInt(random.between(1, 2 ** 31)) * 100n;
  else if (dice < 0.125) hundredths = BigInt(Math.floor(random.next() * 2 ** 49));
  if (live.moneyTotal + hundredths > GUARD - 2n ** 46n) hundredths = BigInt(random.below(1000));
  live.moneyTotal += hundredths;
  const isNegative = sign === 'any' && hundredths > 0n && random.chance(0.7);
  const digits = String(hundredths).padStart(3, '0');
  return `${isNegative ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Random histories are dated around this day; some rows are later. */
export const HISTORY_TODAY = '2025-06-15';

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const EDGES = ['0001-01-01', '9999-12-31', '1999-02-28', '2000-02-29', '2024-02-29', '0999-12-31'];

/** Returns `YYYY-MM-DD`: mostly within two years of HISTORY_TODAY, sometimes any day. */
export function randomDate(random: Random, live: LiveBudget): string {
  if (live.isWild && random.chance(0.02)) return random.pick(EDGES);
  if (random.chance(0.05)) return HISTORY_TODAY;
  const month = random.between(1, 12);
  const year = random.pick([2024, 2024, 2025, 2025, 2025, 2026]);
  const day = random.between(1, LENGTHS[month - 1] ?? 28);
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

export function randomMonth(random: Random, live: LiveBudget): string {
  return randomDate(random, live).slice(0, 7);
}
