// Builds the update of a counts document, as pipeline stages, from the windows that the document counts (pure).
import type { Document } from 'mongodb';
import { UNIT_MS, type Unit, type Window } from './windows.ts';

export type Expression = string | Document;

/** A document outlives its windows by ten minutes, so that another member's fast clock does not remove it early. */
const KEPT_AFTER_MS = 600_000;

export interface Charge {
  /** All windows of the document; ended ones restart. */
  readonly windows: readonly Window[];
  /** The windows that count these requests. */
  readonly counting: readonly Window[];
  /** The key of the requests' token and kind in fields that count by token. */
  readonly entry: string;
  /** Number of requests to count at once. */
  readonly asked: number;
  /** The current time. */
  readonly clock: Expression;
}

/**
 * Returns the stages of one atomic update: restart ended windows, grant as much as all windows have left, charge it. So
 * all counts describe the same instant.
 */
export function countStages({ windows, counting, entry, asked, clock }: Charge): Document[] {
  const left = counting.map(window => ({ $subtract: [window.limit, countOf(window, entry)] }));
  const charged = counting.map(window => [pathOf(window, entry), chargedCount(window, entry)]);
  return [
    { $set: begun(windows, clock) },
    // As many of the requests as every window has left.
    { $set: { granted: { $max: [0, { $min: [asked, ...left] }] } } },
    { $set: Object.fromEntries(charged) },
  ];
}

/** Returns the path of a window's count in its document. */
export function pathOf({ key, field }: Window, entry: string): string {
  return key === 'token' ? `${field}.${entry}` : field;
}

function begun(windows: readonly Window[], clock: Expression): Document {
  const units = new Set(windows.map(({ unit }) => unit));
  const counts = windows.map(({ unit, key, field }) => {
    const isSame = { $eq: [`$${unit}`, startOf(unit, clock)] };
    // Empties the field with its window, so that no entries of former tokens stay.
    const none = key === 'token' ? { $literal: {} } : 0;
    return [field, { $cond: [isSame, `$${field}`, none] }];
  });
  const longest = [...units].reduce((a, b) => (UNIT_MS[b] > UNIT_MS[a] ? b : a));
  return {
    at: clock,
    ...Object.fromEntries([...units].map(unit => [unit, startOf(unit, clock)])),
    ...Object.fromEntries(counts),
    expiresAt: { $add: [startOf(longest, clock), UNIT_MS[longest] + KEPT_AFTER_MS] },
  };
}

function countOf(window: Window, entry: string): Expression {
  const count = `$${pathOf(window, entry)}`;
  return window.key === 'token' ? { $ifNull: [count, 0] } : count;
}

function chargedCount(window: Window, entry: string): Document {
  const charged = { $add: [countOf(window, entry), '$granted'] };
  if (window.key !== 'token') return charged;
  // A refused request adds no entry for a token without one, or the field would grow.
  return { $cond: [{ $gt: ['$granted', 0] }, charged, `$${pathOf(window, entry)}`] };
}

function startOf(unit: Unit, clock: Expression): Document {
  return { $dateTrunc: { date: clock, unit } };
}
