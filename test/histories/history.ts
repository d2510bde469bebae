// Random histories of spaces and budgets: complete CloudEvents, the same for the same seed.

import type { Refusal } from '../model/refusal.ts';
import type { LogEvent } from '../model/stream.ts';
import { randomName } from './awkward-text.ts';
import {
  addCategory,
  addGroup,
  addLabel,
  addPayee,
  BUDGET_ACTIONS,
  openAccount,
} from './budget-actions.ts';
import { interleave, outOfOrder, withDuplicates } from './delivery.ts';
import { createLiveBudget, type LiveBudget } from './live-budget.ts';
import { createRandom, type Random } from './random.ts';
import { type Action, type Draft, ROW_ACTIONS } from './row-actions.ts';
import {
  tooEarlyInBudget,
  tooEarlyInSpace,
  WRONG_IN_BUDGET,
  WRONG_IN_SPACE,
} from './wrong-actions.ts';
import type { WrongDraft } from './wrong-draft.ts';

export interface HistoryOptions {
  seed: number;
  /** The approximate number of all events, without repeats. */
  events: number;
  /** Their subjects are `budget-1`, `budget-2` … */
  budgets: number;
  /** Their subjects are `space-1`, `space-2` … */
  spaces: number;
  /** `user-1`, `user-2` …; `user-1` is never removed from a space. */
  users: number;
  /** Share of events that are invalid, each labelled. None by default. */
  invalidShare?: number;
  /** Share of events that arrive some places too late in their stream. None by default. */
  disorderShare?: number;
  /** Share of events that are repeated. None by default. */
  duplicateShare?: number;
  wildNames?: boolean;
}

/** One delivery. `label` is right if the stream's events arrive in order and operators skip refused ones. */
export interface HistoryEntry {
  event: LogEvent;
  /** The reason to park it; `after-deletion`: it is dropped; null: it is applied (or its type is unknown). */
  label: Refusal | 'after-deletion' | null;
  /** False if the schemas must refuse it. */
  isSchemaValid: boolean;
}

type AnyDraft = Draft | WrongDraft | { type: string; data: unknown };

/** Adds the envelope to each draft of one stream. */
interface Stream {
  entries: HistoryEntry[];
  add: (draft: AnyDraft, label?: 'after-deletion') => void;
}

export function randomHistory(options: HistoryOptions): HistoryEntry[] {
  const { seed, events, budgets, spaces, disorderShare = 0, duplicateShare = 0 } = options;
  const random = createRandom(seed);
  const perSpace = Math.max(options.users + 2, Math.ceil((events * 0.05) / spaces));
  const perBudget = Math.max(8, Math.ceil((events - perSpace * spaces) / budgets));
  const streams = [
    ...numbered('space', spaces).map(subject =>
      spaceStream(random, options, { subject, count: perSpace }),
    ),
    ...numbered('budget', budgets).map(subject =>
      budgetStream(random, options, { subject, count: perBudget }),
    ),
  ].map((stream, index) => outOfOrder(stream, seed + index, disorderShare));
  return withDuplicates(interleave(streams, seed), seed, duplicateShare);
}

/** Returns the events without their labels. */
export function eventsOf(history: readonly HistoryEntry[]): LogEvent[] {
  return history.map(({ event }) => event);
}

function numbered(kind: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${kind}-${index + 1}`);
}

const BASE_TIME_MS = Date.UTC(2023, 0, 1);
const FRACTIONS = ['', '.0', '.5', '.123', '.123456789', '.999999'];

function createStream(random: Random, subject: string): Stream {
  const entries: HistoryEntry[] = [];
  let sequence = 0;
  const add: Stream['add'] = (draft, label) => {
    const wrong: Partial<WrongDraft> = 'refusal' in draft ? draft : {};
    if (!wrong.isSequenceTaken) sequence += 1;
    const whole = new Date(BASE_TIME_MS + (entries.length * 3599 + random.below(3000)) * 1000);
    const event: LogEvent = {
      specversion: '1.0',
      id: `${subject}.${entries.length + 1}`,
      source: 'urn:budgeting:history',
      type: draft.type,
      time: whole.toISOString().replace('.000Z', `${random.pick(FRACTIONS)}Z`),
      datacontenttype: 'application/json',
      subject,
      sequence,
      schemaversion: wrong.schemaversion ?? 1,
      data: draft.data,
    };
    entries.push({
      event,
      label: label ?? wrong.refusal ?? null,
      isSchemaValid: wrong.isSchemaRefused !== true,
    });
  };
  return { entries, add };
}

interface StreamSize {
  readonly subject: string;
  /** Of its events. */
  readonly count: number;
}

function spaceStream(
  random: Random,
  options: HistoryOptions,
  { subject, count }: StreamSize,
): HistoryEntry[] {
  const { users, invalidShare = 0, wildNames = false } = options;
  const { entries, add } = createStream(random, subject);
  const anyName = () => (random.chance(0.3) ? null : randomName(random, wildNames));
  const others = numbered('user', users).slice(1);
  if (random.chance(invalidShare)) add(tooEarlyInSpace(random));
  add({ type: 'space.created', data: { name: anyName() } });
  add({ type: 'space.member-added', data: { userId: 'user-1' } });
  for (const userId of random.some(others, others.length)) {
    if (random.chance(0.6)) add({ type: 'space.member-added', data: { userId } });
  }
  while (entries.length < count) {
    const userId = random.some(others, 1)[0] ?? 'user-nobody';
    if (random.chance(invalidShare)) add(random.pick(WRONG_IN_SPACE)(random));
    else if (random.chance(0.3)) add({ type: 'space.renamed', data: { name: anyName() } });
    else if (random.chance(0.1)) add(unknownType(random));
    else if (random.chance(0.5)) add({ type: 'space.member-added', data: { userId } });
    else add({ type: 'space.member-removed', data: { userId } });
  }
  return entries;
}

function budgetStream(
  random: Random,
  options: HistoryOptions,
  { subject, count }: StreamSize,
): HistoryEntry[] {
  const { spaces, invalidShare = 0, wildNames = false } = options;
  const { entries, add } = createStream(random, subject);
  const currency = random.pick(['EUR', 'USD', 'JPY', 'GBP']);
  const live = createLiveBudget(currency, wildNames);
  const spaceId = random.chance(0.03) ? 'space-nowhere' : random.pick(numbered('space', spaces));
  const deletedAt = random.chance(0.08) ? random.between(Math.ceil(count / 2), count) : Infinity;
  if (random.chance(invalidShare)) add(tooEarlyInBudget(random));
  add({ type: 'budget.created', data: { spaceId, name: randomName(random, wildNames), currency } });
  for (const draft of firstThings(random, live)) add(draft);
  while (entries.length < Math.min(count, deletedAt)) {
    for (const draft of nextDrafts(random, live, invalidShare)) add(draft);
  }
  if (deletedAt <= count) add({ type: 'budget.deleted', data: random.pick([{}, null, undefined]) });
  while (entries.length < count) {
    add({ type: 'payee.added', data: { payeeId: 'late', name: 'late' } }, 'after-deletion');
  }
  return entries;
}

function nextDrafts(random: Random, live: LiveBudget, invalidShare: number): readonly AnyDraft[] {
  if (random.chance(invalidShare)) {
    const draft = random.pick(WRONG_IN_BUDGET)(random, live);
    return draft ? [draft] : [];
  }
  if (random.chance(0.005)) return [unknownType(random)];
  return anyAction(random)(random, live);
}

function unknownType(random: Random): { type: string; data: unknown } {
  return random.pick([
    { type: 'goal.set', data: { categoryId: 'anything', amount: 5 } },
    { type: 'space.painted', data: null },
    { type: 'Budget.Renamed', data: { name: 'x' } },
  ]);
}

/** Returns drafts of a few accounts, groups and categories to begin with. */
function firstThings(random: Random, live: LiveBudget): Draft[] {
  const first: Action[] = [
    openAccount,
    openAccount,
    addGroup,
    addGroup,
    addCategory,
    addCategory,
    addCategory,
    addPayee,
    addLabel,
  ];
  return first.flatMap(action => action(random, live));
}

const ACTIONS = [...ROW_ACTIONS, ...BUDGET_ACTIONS];
const WEIGHT = ACTIONS.reduce((total, [weight]) => total + weight, 0);

function anyAction(random: Random): Action {
  let left = random.next() * WEIGHT;
  for (const [weight, action] of ACTIONS) {
    left -= weight;
    if (left < 0) return action;
  }
  return () => [];
}
