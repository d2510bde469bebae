// What holds for every aggregate of the table, also for one that is added: events load each document that its sums touch,
// in whatever chunks they come, and its documents are those of the live rows alone.
import test from 'ava';
import { NO_ROWS } from '../../projections/aggregates/account-totals.ts';
import { PAGE_ENTRIES } from '../../projections/aggregates/month-sums.ts';
import { cascadesOf, finds, isCascade } from '../../projections/cascades.ts';
import { DOCUMENT_KINDS, traitsOf } from '../../projections/document-kinds.ts';
import { applyRowChange } from '../../projections/row-change.ts';
import { createWorkingSet, type WorkingSet } from '../../projections/working-set.ts';
import { EVENT_SCHEMAS } from '../../schemas/generated/event-schemas.ts';
import type { BudgetEvent } from '../../schemas/generated/events.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { createRandom } from '../histories/random.ts';
import { steps } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { applyToMemory, createMemoryStore, documentsOf, type MemoryStore } from './memory-store.ts';
import { sortKeys } from './plain.ts';

const SEEDS = [1, 2, 3];
/** Large enough that a row is entered and moved in the same chunk, small enough that hardly any document is loaded by chance. */
const CHUNK_MAX = 4;

/** Returns the history of one budget. Things of its second half have their sums on other pages than those of its first. */
function history(seed: number): LogEvent[] {
  const options = { seed, events: 700, budgets: 1, spaces: 1, users: 2, wildNames: true };
  const events = eventsOf(randomHistory(options)).filter(({ subject }) => subject === 'budget-1');
  const half = Math.floor(events.length / 3);
  const [early, late] = [events.slice(0, half), events.slice(half)];
  const last = early.at(-1);
  if (!last) throw new Error('Expected events');
  const between = steps(PAGE_ENTRIES).map((draft, index) => {
    const sequence = last.sequence + 1 + index;
    return { ...last, ...draft, id: `step-${index}`, sequence };
  });
  const moved = late.map(event => ({ ...event, sequence: event.sequence + PAGE_ENTRIES }));
  return [...early, ...between, ...moved];
}

/** Returns the chunks of a history: random ones, and the steps in one. */
function chunksOf(events: readonly LogEvent[], seed: number): LogEvent[][] {
  const random = createRandom(seed);
  const chunks: LogEvent[][] = [];
  for (let from = 0; from < events.length; ) {
    const isStep = events[from]?.id === 'step-0';
    const size = isStep ? PAGE_ENTRIES : random.between(1, CHUNK_MAX);
    chunks.push(events.slice(from, from + size));
    from += size;
  }
  return chunks;
}

/** Returns the number of stored rows that the cascades of an event find. */
function found(store: MemoryStore, event: LogEvent): number {
  const set = store.heads.get('budget-1')?.set;
  const ofBudget = event as unknown as BudgetEvent;
  if (!set || !isCascade(ofBudget)) return 0;
  const cascades = cascadesOf(ofBudget);
  const rows = documentsOf(store, 'rows', set);
  return rows.filter(row => cascades.some(each => finds(each, row))).length;
}

const CASCADE_TYPES = Object.keys(EVENT_SCHEMAS).filter(type =>
  isCascade({ type } as unknown as BudgetEvent),
);

test('all events load what the sums of their rows touch, and the sums are those of the live rows', t => {
  const moved = new Map(CASCADE_TYPES.map(type => [type, 0]));
  const counts = new Map<string, number>();
  const numbers = new Map<string, Set<number>>();
  const pages = new Set<string>();
  let afterNewRow = 0;
  for (const seed of SEEDS) {
    const store = createMemoryStore();
    let offset = 0;
    for (const chunk of chunksOf(history(seed), seed)) {
      for (const [index, event] of chunk.entries()) {
        const rows = moved.get(event.type);
        if (rows === undefined) continue;
        moved.set(event.type, rows + found(store, event));
        if (chunk[index - 1]?.type === 'transaction.entered') afterNewRow += 1;
      }
      // An aggregate that touches a document which was not loaded throws here.
      applyToMemory(store, chunk, offset);
      offset += chunk.length;
    }
    const { held = null, set = null } = store.heads.get('budget-1') ?? {};
    t.is(held, null);
    if (set === null) continue;
    for (const { id } of documentsOf(store, 'monthSums', set)) pages.add(id.slice(8));
    const expected = sumsOfRows(store, set);
    for (const kind of SUMMED) {
      const now = documentsOf(store, kind, set).sort(byId).map(sortKeys);
      t.deepEqual(now, expected.all(kind, set).sort(byId).map(sortKeys), `${kind}, seed ${seed}`);
      for (const document of now) addNumbers(numbers, kind, document);
      counts.set(kind, (counts.get(kind) ?? 0) + now.length);
    }
  }
  for (const kind of SUMMED) t.true((counts.get(kind) ?? 0) > 20, `few documents of ${kind}`);
  for (const [field, values] of numbers) t.true(values.size > 1, `${field} is always the same`);
  for (const [type, rows] of moved) t.true(rows > 0, `no ${type} found a row`);
  t.true(pages.has('0') && pages.has('1'), [...pages].join());
  t.true(afterNewRow > 0, 'no cascade came after a new row, in one chunk');
});

/** Kinds that hold more than sums also have what events say. */
const SUMMED = DOCUMENT_KINDS.filter(kind => {
  const { aggregate, madeFrom } = traitsOf(kind);
  return aggregate && madeFrom !== 'envelopes';
});

/** Returns the documents that follow from the live rows alone. */
function sumsOfRows(store: MemoryStore, set: string): WorkingSet {
  const documents = createWorkingSet();
  documents.provideNothing(set);
  for (const account of documentsOf(store, 'accounts', set)) {
    documents.put('accounts', { ...account, ...NO_ROWS });
  }
  for (const kind of ['groups', 'categories', 'payees', 'labels'] as const) {
    for (const document of documentsOf(store, kind, set)) documents.put(kind, document);
  }
  const rows = documentsOf(store, 'rows', set).sort((a, b) => a.entry - b.entry);
  for (const after of rows) applyRowChange(documents, { before: null, after });
  return documents;
}

/** Adds the numbers in a document by the names of their fields. */
function addNumbers(numbers: Map<string, Set<number>>, kind: string, document: object): void {
  for (const [key, value] of Object.entries(document)) {
    if (typeof value === 'object' && value !== null) addNumbers(numbers, kind, value);
    // Other keys are days, months and ids.
    const field = /^[a-z]+$/i.test(key) ? key : '*';
    if (typeof value !== 'number') continue;
    const name = `${kind} ${field}`;
    numbers.set(name, (numbers.get(name) ?? new Set()).add(value));
  }
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}
