// What an invalid event looks like before it has its envelope.
import type { TransactionEntered } from '../../schemas/generated/events.ts';
import type { Refusal } from '../model/refusal.ts';
import { ghostId, type LiveBudget } from './live-budget.ts';
import type { Random } from './random.ts';
import { type Draft, randomRow } from './row-actions.ts';

/** An event without its envelope, and why it must be refused. */
export interface WrongDraft {
  refusal: Refusal;
  type: string;
  data: unknown;
  /** True where already the schema refuses it. */
  isSchemaRefused?: boolean;
  schemaversion?: number;
  /** For a conflict: the number of the event before. */
  isNumberTaken?: boolean;
}

/** None when the budget does not yet hold what it takes to be wrong in this way. */
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

/** A valid new row with one field spoilt; null without an account. */
export function spoiltRow(
  random: Random,
  live: LiveBudget,
  spoil: (row: TransactionEntered) => Partial<TransactionEntered>,
  accounts: readonly string[] = [...live.accounts.keys()],
): Draft[] {
  const accountId = random.some(accounts, 1)[0];
  if (accountId === undefined) return [];
  const row = randomRow(random, live, {
    accountId,
    transactionId: ghostId(random, live, 'transaction'),
  });
  return [{ type: 'transaction.entered', data: { ...row, ...spoil(row) } }];
}
