// The names by which YNAB's exports mark what is special.

export const PAYMENTS = 'Credit Card Payments';
export const HIDDEN = 'Hidden Categories';
export const INTERNAL = 'Internal Master Category';
export const NONE = 'Uncategorized';
export const STARTING = 'Starting Balance';

const ADJUSTMENTS = ['Reconciliation Balance Adjustment', 'Manual Balance Adjustment'];

export function isAdjustment(payee: string): boolean {
  return ADJUSTMENTS.includes(payee);
}
