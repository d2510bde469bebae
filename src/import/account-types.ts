// The types of accounts, and the ones that are taken where a file does not name them.
import type { Hundredths } from '../../projections/documents.ts';
import definitions from '../../schemas/events/definitions.json' with { type: 'json' };
import type { AccountOpened } from '../../schemas/generated/events.ts';

export type AccountType = AccountOpened['type'];

export const ACCOUNT_TYPES: readonly string[] = definitions.$defs.accountType.enum;

export function isAccountType(text: string): text is AccountType {
  return ACCOUNT_TYPES.includes(text);
}

/** @param balance in any unit: only its sign counts */
export function assumedType(onBudget: boolean, balance: Hundredths): AccountType {
  if (onBudget) return 'checking';
  return balance < 0 ? 'otherLiability' : 'otherAsset';
}
