// An invalid event without its envelope.
import type { TransactionEntered } from '../../schemas/generated/events.ts';
import type { Refusal } from '../model/refusal.ts';
import { ghostId, type LiveBudget } from './live-budget.ts';
import type { Random } from './random.ts';
import { type Draft, randomRow } from './row-actions.ts';

/** An event without its envelope, and the reason to refuse it. */
export interface WrongDraft {
  refusal: Refusal;
  type: string;
  data: unknown;
  /** True if the schema already refuses it. */
  isSchemaRefused?: boolean;
  schemaversion?: number;
  /** True if it has the sequence of the event before, which is a conflict. */
  isSequenceTaken?: boolean;
}

/** Returns null if the budget lacks the things to be wrong in this way. */
export type Wrong = (random: Random, live: LiveBudget) => WrongDraft | null;

export function wrong(refusal: Refusal, draft: Draft): WrongDraft {
  return { refusal, ...draft };
}

export function oneOf(
  random: Random,
  refusal: Refusal,
  drafts: readonly Draft[],
): WrongDraft | null {
  return drafts.length === 0 ? null : wrong(refusal, random.pick(drafts));
}

type Invalidate = (row: TransactionEntered) => Partial<TransactionEntered>;

/** Returns a valid new row with one invalid field; none without an account. */
export function invalidRow(random: Random, live: LiveBudget, invalidate: Invalidate): Draft[] {
  return invalidRowIn(random, live, { accounts: [...live.accounts.keys()], invalidate });
}

/** Returns such a row in one of some accounts. */
export function invalidRowIn(
  random: Random,
  live: LiveBudget,
  { accounts, invalidate }: { accounts: readonly string[]; invalidate: Invalidate },
): Draft[] {
  const accountId = random.some(accounts, 1)[0];
  if (accountId === undefined) return [];
  const row = randomRow(random, live, {
    accountId,
    transactionId: ghostId(random, live, 'transaction'),
  });
  return [{ type: 'transaction.entered', data: { ...row, ...invalidate(row) } }];
}
