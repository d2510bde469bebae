// A budget of the sample. It applies its own events with the projections of the server and reads its state from them.
import { isInvalid } from '../../projections/change.ts';
import type { Account, Hundredths } from '../../projections/documents.ts';
import { newHead } from '../../projections/new-head.ts';
import { project } from '../../projections/project.ts';
import { createWorkingSet, type WorkingSet } from '../../projections/working-set.ts';
import type { DataOf, EventType } from '../process/event-builder.ts';
import { createRandom, type Random } from '../process/random.ts';
import type { Plan } from './plan.ts';
import type { Timeline } from './timeline.ts';

export interface SampleBudget {
  /** Also the id of its document set. */
  readonly id: string;
  readonly plan: Plan;
  readonly random: Random;
  readonly documents: WorkingSet;
  /** `YYYY-MM-DD` */
  readonly today: string;
  /** Ids by kind and name in the plan. Names of merged payees and replaced categories mean what took their place. */
  readonly ids: Map<string, string>;
  /** Ids of entered rows; those that are reconciled or deleted leave it the next time they are read. */
  readonly openRowIds: Set<string>;
  /** Rows entered twice by mistake; they are deleted the next evening. */
  readonly duplicates: string[];
  /** Returns an id such as `split-7` that no other call returns. */
  newId(kind: string): string;
  /** Publishes an event and applies it. Throws if the event contradicts earlier ones. */
  emit<T extends EventType>(type: T, data: DataOf<T>): void;
}

export interface SampleBudgetOptions {
  readonly id: string;
  readonly plan: Plan;
  readonly seed: number;
  readonly timeline: Timeline;
}

export function createSampleBudget(options: SampleBudgetOptions): SampleBudget {
  const { id, plan, seed, timeline } = options;
  const documents = createWorkingSet();
  let made = 0;
  let head = newHead(id, 0);
  return {
    id,
    plan,
    random: createRandom(seed),
    documents,
    get today() {
      return timeline.date;
    },
    ids: new Map(),
    openRowIds: new Set(),
    duplicates: [],
    newId(kind) {
      made += 1;
      return `${kind}-${made}`;
    },
    emit(type, data) {
      const event = timeline.emit(id, type, data);
      const projected = project(documents, head, { event, newSet: id });
      if (isInvalid(projected)) throw new Error(`Event ${event.id}, ${type}: ${projected.invalid}`);
      head = projected;
    },
  };
}

export function accountOf({ documents, id }: SampleBudget, accountId: string): Account {
  const account = documents.get('accounts', id, accountId);
  if (account === null) throw new Error(`The sample budget ${id} has no account ${accountId}`);
  return account;
}

/** Returns the balance in the account's own currency, future rows included. */
export function balanceOf(budget: SampleBudget, accountId: string): Hundredths {
  const { currency, cleared, uncleared, native } = accountOf(budget, accountId);
  return currency === null ? cleared + uncleared : native;
}
