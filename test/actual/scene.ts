// What the random actions on a budget in Actual share: choices among the things that it has now.
import type { Random } from '../histories/random.ts';
import type { Account, Category, Engine, Group, Payee } from './engine.ts';
import { DAYS, dayAfterFirst } from './span.ts';

export interface Scene {
  readonly engine: Engine;
  readonly random: Random;
}

/** Does nothing if the budget lacks what it needs. */
export type Action = (scene: Scene) => Promise<unknown>;

/** The income category of starting balances, which Actual makes itself. */
const STARTING = 'Starting Balances';
const WORDS = ['Food', 'Rent', 'Straße', 'Gas & fuel', '"Gifts"', 'Σίσυφος', '🏠 Home', "L'été"];
const NOTES = [
  'weekly',
  'with a #tag',
  '#one #two',
  'no ##tag',
  'price, "quoted"; Ärger',
  'two\nlines',
  'A&B #été-2026',
];

/** Returns a name that no other thing has. */
export function nameOf({ random }: Scene): string {
  return `${random.pick(WORDS)} ${random.next().toString(36).slice(2, 9)}`;
}

export function noteOf({ random }: Scene): string {
  return random.pick(NOTES);
}

/** Returns an amount above zero, mostly a small one. */
export function amountOf({ random }: Scene): number {
  return random.between(1, random.pick([500, 9_900, 9_900, 200_000]));
}

export function dateOf({ random }: Scene): string {
  return dayAfterFirst(random.between(0, DAYS));
}

export function monthOf(scene: Scene): string {
  return dateOf(scene).slice(0, 7);
}

/** Returns undefined if there is nothing to pick from. */
export function oneOf<T>({ random }: Scene, things: readonly T[]): T | undefined {
  return things.length === 0 ? undefined : random.pick(things);
}

export async function openAccounts({ engine }: Scene): Promise<Account[]> {
  return (await engine.accounts()).filter(account => !account.closed);
}

export async function expenseGroups({ engine }: Scene): Promise<Group[]> {
  return (await engine.groups()).filter(group => !group.is_income);
}

export interface Categories {
  readonly expenses: readonly Category[];
  /** They get income only, so that setting it aside automatically never holds a negative amount. */
  readonly incomes: readonly Category[];
  readonly starting: Category | undefined;
}

export async function categoriesOf({ engine }: Scene): Promise<Categories> {
  const all = (await engine.groups()).flatMap(group => group.categories);
  const incomes = all.filter(category => category.is_income);
  return {
    expenses: all.filter(category => !category.is_income),
    incomes: incomes.filter(({ name }) => name !== STARTING),
    starting: incomes.find(({ name }) => name === STARTING),
  };
}

/** Returns a category that takes the amount; often one of expenses, sometimes none. */
export function categoryFor(
  scene: Scene,
  { expenses, incomes, starting }: Categories,
  amount: number,
): string | null {
  const { random } = scene;
  if (random.chance(0.1)) return null;
  if (random.chance(0.03)) return starting?.id ?? null;
  const isIncome = amount > 0 && random.chance(0.7);
  return oneOf(scene, isIncome ? incomes : expenses)?.id ?? null;
}

/** Returns the payees that people name, and those that stand for transfers with an account. */
export async function payeesOf({ engine }: Scene): Promise<{ named: Payee[]; transfers: Payee[] }> {
  const payees = await engine.payees();
  return {
    named: payees.filter(({ transfer_acct }) => transfer_acct === null),
    transfers: payees.filter(({ transfer_acct }) => transfer_acct !== null),
  };
}
