// The update of a document of counts as stages of the store, made of the windows that the document counts (pure).
import type { Document } from 'mongodb';
import { UNIT_MS, type Unit, type Window } from './windows.ts';

export type Expression = string | Document;

/** A document outlives its windows by this, so that no clock of another member removes it early. */
const KEPT_AFTER_MS = 600_000;

export interface Charge {
  /** All windows of the document: those that are over begin again. */
  readonly windows: readonly Window[];
  /** Those that count the requests. */
  readonly counting: readonly Window[];
  /** The entry of the requests' token in fields that count by token. */
  readonly entry: string;
  /** How many requests are counted at once. */
  readonly asked: number;
  /** The current time. */
  readonly clock: Expression;
}

/** All windows begin again, are judged and are charged in one step, so they describe one instant. */
export function countStages({ windows, counting, entry, asked, clock }: Charge): Document[] {
  const left = counting.map(window => ({ $subtract: [window.limit, countOf(window, entry)] }));
  const charged = counting.map(window => [pathOf(window, entry), chargedCount(window, entry)]);
  return [
    { $set: begun(windows, clock) },
    // As many of those asked for as every window has left.
    { $set: { granted: { $max: [0, { $min: [asked, ...left] }] } } },
    { $set: Object.fromEntries(charged) },
  ];
}

/** The path of a window's count in its document. */
export function pathOf({ key, field }: Window, entry: string): string {
  return key === 'token' ? `${field}.${entry}` : field;
}

function begun(windows: readonly Window[], clock: Expression): Document {
  const units = new Set(windows.map(({ unit }) => unit));
  const counts = windows.map(({ unit, key, field }) => {
    const isSame = { $eq: [`$${unit}`, startOf(unit, clock)] };
    // Emptied with its window, the field of tokens has entries of live tokens only.
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
  // A refused token that was not counted in this window leaves no trace, or its field would grow.
  return { $cond: [{ $gt: ['$granted', 0] }, charged, `$${pathOf(window, entry)}`] };
}

function startOf(unit: Unit, clock: Expression): Document {
  return { $dateTrunc: { date: clock, unit } };
}
