// What the sample's people know of their envelopes, so that they assign what they have (months.md, simplified).
import type { Hundredths } from '../../../projections/documents.ts';

export interface Envelopes {
  /** Makes a category known; amounts of one that is no envelope go to what is ready to assign. */
  add(categoryId: string, isEnvelope: boolean): void;
  carryOver(categoryId: string, carriesOver: boolean): void;
  /** The whole amount of this month. */
  assign(categoryId: string, amount: Hundredths): void;
  assigned(categoryId: string): Hundredths;
  /** A row of the category. */
  book(categoryId: string, amount: Hundredths): void;
  available(categoryId: string): Hundredths;
  ready(): Hundredths;
  /** Empties what is overspent into the next month's ready to assign. */
  closeMonth(): void;
  /** The category went to another one, or (null) is gone. */
  replace(categoryId: string, replacementId: string | null): void;
}

export function createEnvelopes(): Envelopes {
  const available = new Map<string, Hundredths>();
  const assigned = new Map<string, Hundredths>();
  const carrying = new Set<string>();
  let ready: Hundredths = 0;
  const change = (categoryId: string, amount: Hundredths): void => {
    const before = available.get(categoryId);
    if (before === undefined) ready += amount;
    else available.set(categoryId, before + amount);
  };
  return {
    add: (categoryId, isEnvelope) => {
      if (isEnvelope) available.set(categoryId, 0);
    },
    carryOver: (categoryId, carriesOver) => {
      if (carriesOver) carrying.add(categoryId);
      else carrying.delete(categoryId);
    },
    assign(categoryId, amount) {
      const more = amount - (assigned.get(categoryId) ?? 0);
      assigned.set(categoryId, amount);
      change(categoryId, more);
      ready -= more;
    },
    assigned: categoryId => assigned.get(categoryId) ?? 0,
    book: change,
    available: categoryId => available.get(categoryId) ?? 0,
    ready: () => ready,
    closeMonth() {
      assigned.clear();
      for (const [categoryId, amount] of available) {
        if (amount >= 0 || carrying.has(categoryId)) continue;
        ready += amount;
        available.set(categoryId, 0);
      }
    },
    replace(categoryId, replacementId) {
      const left = available.get(categoryId) ?? 0;
      available.delete(categoryId);
      if (replacementId === null) ready += left;
      else change(replacementId, left);
    },
  };
}
