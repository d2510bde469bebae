// `changed` and tombstones, held against the served forms before and after each event of random histories.
import test from 'ava';
import type { Row, ThingKind } from '../../projections/documents.ts';
import { renderRow } from '../../projections/row.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { applyToMemory, createMemoryStore, documentsOf, type MemoryStore } from './memory-store.ts';

/** By `kind/id`: the served form as text, and when it changed. */
type Things = Map<string, { readonly form: string; readonly changed: number }>;

type Changed = Pick<Row, 'id' | 'changed'>;

function thingsOf(store: MemoryStore, set: string): Things {
  const things: Things = new Map();
  const add = (kind: ThingKind, { id, changed }: Changed, form: string) =>
    things.set(`${kind}/${id}`, { form, changed });
  const sums = new Map<string, string[]>();
  for (const row of documentsOf(store, 'rows', set)) {
    add('transaction', row, renderRow(row));
    sums.set(row.accountId, [...(sums.get(row.accountId) ?? []), sumPart(row)]);
  }
  for (const account of documentsOf(store, 'accounts', set)) {
    const { id, name, type, currency, onBudget, closed } = account;
    const form = [name, type, currency, onBudget, closed, ...(sums.get(id) ?? []).sort()];
    add('account', account, JSON.stringify(form));
  }
  for (const group of documentsOf(store, 'groups', set)) {
    const { name, hidden, budgetMode } = group;
    add('categoryGroup', group, JSON.stringify([name, hidden, budgetMode]));
  }
  for (const category of documentsOf(store, 'categories', set)) {
    const { groupId, name, hidden, note } = category;
    add('category', category, JSON.stringify([groupId, name, hidden, note]));
  }
  for (const payee of documentsOf(store, 'payees', set)) add('payee', payee, payee.name);
  for (const label of documentsOf(store, 'labels', set)) add('label', label, label.name);
  return things;
}

/** The part of a row that its account's balances on all days follow from. */
function sumPart({ id, date, amount, amountNative, cleared }: Row): string {
  return JSON.stringify([id, date, amount, amountNative, cleared]);
}

/** Returns `changed` of each thing as it should be after an event, and notes what the event deleted. */
function expected(
  before: Things,
  after: Things,
  { sequence, graves }: { sequence: number; graves: Map<string, number> },
): Map<string, number> {
  for (const key of before.keys()) if (!after.has(key)) graves.set(key, sequence);
  const changed = new Map<string, number>();
  for (const [key, { form }] of after) {
    const was = before.get(key);
    changed.set(key, was?.form === form ? was.changed : sequence);
  }
  return changed;
}

for (const seed of [1, 2, 3, 4, 5, 6]) {
  test(`a thing has the sequence of the event that last changed it, a deleted one its tombstone (seed ${seed})`, t => {
    const store = createMemoryStore();
    const events = eventsOf(
      randomHistory({ seed, events: 400, budgets: 2, spaces: 1, users: 2, wildNames: true }),
    );
    const known = new Map<string, { things: Things; graves: Map<string, number> }>();
    for (const [offset, event] of events.entries()) {
      applyToMemory(store, [event], offset);
      const { subject } = event as { subject: string };
      const head = store.heads.get(subject);
      if (!head?.set) continue;
      const { things: before, graves } = known.get(subject) ?? {
        things: new Map(),
        graves: new Map(),
      };
      const things = thingsOf(store, head.set);
      const changed = expected(before, things, { sequence: head.sequence, graves });
      t.deepEqual(new Map([...things].map(([key, thing]) => [key, thing.changed])), changed);
      const stored = documentsOf(store, 'tombstones', head.set);
      t.deepEqual(new Map(stored.map(({ id, changed: at }) => [id, at])), new Map(graves));
      t.true(stored.every(({ id, kind, thingId }) => id === `${kind}/${thingId}`));
      known.set(subject, { things, graves });
    }
    const graves = [...known.values()].reduce((sum, budget) => sum + budget.graves.size, 0);
    t.true(graves > 10, `only ${graves} things were deleted`);
  });
}
