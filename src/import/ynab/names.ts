// The names by which YNAB's exports mark what is special.
import type { PlannedRow } from '../plan.ts';

export const PAYMENTS = 'Credit Card Payments';
export const HIDDEN = 'Hidden Categories';
export const INTERNAL = 'Internal Master Category';
export const NONE = 'Uncategorized';
export const STARTING = 'Starting Balance';

const ADJUSTMENTS = ['Reconciliation Balance Adjustment', 'Manual Balance Adjustment'];

/** Returns the type of a row that is no transfer. */
export function rowType(payee: string): PlannedRow['type'] {
  if (payee === STARTING) return 'startingBalance';
  return ADJUSTMENTS.includes(payee) ? 'reconciliation' : 'standard';
}
