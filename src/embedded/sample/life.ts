// One sample budget being lived in: its plan, its book, and the chance that fills the one from the other.
import type { BudgetBook } from './budget-book.ts';
import type { Plan } from './plan.ts';
import type { Random } from './random.ts';

export interface Life {
  readonly book: BudgetBook;
  readonly plan: Plan;
  readonly random: Random;
  /** Ids of rows that were entered twice by mistake and will be noticed. */
  readonly duplicates: string[];
}
