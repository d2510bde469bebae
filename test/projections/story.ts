// The events of one stream, applied one by one to documents in memory, and the changes of each, field by field.
import { isDeepStrictEqual } from 'node:util';
import type { Head } from '../../projections/documents.ts';
import type { Draft } from '../histories/row-actions.ts';
import { budget, FURNITURE, timeOf } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { applyToMemory, createMemoryStore, type MemoryStore } from './memory-store.ts';

/** By `kind id`, and `head` for the stream: all fields of a new document, the changed fields, or null. */
export type Changed = Record<string, object | null>;

export interface Story {
  readonly store: MemoryStore;
  /** Applies the next event of the stream, which must be accepted; returns its changes. */
  tell(draft: Draft, changes?: Partial<LogEvent>): Changed;
  tellAll(...drafts: readonly Draft[]): void;
  /** Delivers the next event, which must be refused and change nothing; returns the reason. */
  refuse(draft: Draft, changes?: Partial<LogEvent>): string;
  head(): Head;
  /** Returns a document of the budget in its current state; undefined without it. */
  document(key: string): Record<string, unknown> | undefined;
}

/** The document set of a budget that the first event of the log created. */
export const SET = '0-0';

export const CREATED = budget('space-1');

/** A budget with one of each kind, and one row, `row-1`, which is the 18th event. */
export const FURNISHED: readonly Draft[] = [CREATED, ...FURNITURE];

/** Returns a function that numbers the events of a stream, one minute apart. */
export function eventMaker(
  subject: string,
): (draft: Draft, changes?: Partial<LogEvent>) => LogEvent {
  let last = 0;
  return (draft, changes = {}) => {
    const sequence = changes.sequence ?? last + 1;
    last = sequence;
    return {
      specversion: '1.0',
      id: `${subject}.${sequence}`,
      source: 'urn:budgeting:story',
      time: timeOf(sequence),
      subject,
      sequence,
      schemaversion: 1,
      ...draft,
      ...changes,
    };
  };
}

export function createStory(given: readonly Draft[] = [], subject = 'budget-1'): Story {
  const store = createMemoryStore();
  const eventOf = eventMaker(subject);
  let offset = 0;
  const deliver = (draft: Draft, changes: Partial<LogEvent> = {}): Changed => {
    const before = contents(store);
    applyToMemory(store, [eventOf(draft, changes)], offset);
    offset += 1;
    return difference(before, contents(store));
  };
  const head = (): Head => {
    const found = store.heads.get(subject);
    if (!found) throw new Error(`Nothing was told of ${subject}`);
    return found;
  };
  const tell: Story['tell'] = (draft, changes) => {
    const changed = deliver(draft, changes);
    const { held } = head();
    if (held) throw new Error(`${draft.type} was refused: ${held.reason}`);
    return changed;
  };
  for (const draft of given) tell(draft);
  return {
    store,
    tell,
    tellAll: (...drafts) => {
      for (const draft of drafts) tell(draft);
    },
    refuse(draft, changes) {
      const changed = deliver(draft, changes);
      const { held } = head();
      if (held?.why !== 'parked') throw new Error(`${draft.type} was taken`);
      if (Object.keys(changed).length > 0) {
        throw new Error(`${draft.type} was refused, but changed ${Object.keys(changed)}`);
      }
      return held.reason;
    },
    head,
    document: key => contents(store).get(key),
  };
}

// Leaves out the sequence and id of the last event, which always change, and `held`, which changes nothing by itself:
// a stream that only waits has no head here.
function contents({ heads, documents }: MemoryStore): Map<string, Record<string, unknown>> {
  const all = new Map<string, Record<string, unknown>>();
  for (const { sequence, eventId, held, budget, space, ...rest } of heads.values()) {
    if (budget || space || rest.deleted) all.set('head', { ...rest, ...budget, ...space });
  }
  for (const [key, document] of documents) {
    const { id, set, ...fields } = document;
    all.set(key.replace(`${set}/`, ''), fields);
  }
  return all;
}

function difference(
  before: ReadonlyMap<string, Record<string, unknown>>,
  after: ReadonlyMap<string, Record<string, unknown>>,
): Changed {
  const changed: Changed = {};
  for (const key of before.keys()) if (!after.has(key)) changed[key] = null;
  for (const [key, now] of after) {
    const was = before.get(key);
    const names = new Set([...Object.keys(now), ...Object.keys(was ?? {})]);
    const fields = [...names].filter(name => !was || !isDeepStrictEqual(was[name], now[name]));
    if (fields.length > 0) changed[key] = Object.fromEntries(fields.map(name => [name, now[name]]));
  }
  return changed;
}
