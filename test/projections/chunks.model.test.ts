// Documents do not depend on the chunks that the log is cut into, nor on repeated deliveries.
import test from 'ava';
import fc from 'fast-check';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { applyToMemory, createMemoryStore, type MemoryStore } from './memory-store.ts';
import { sortKeys } from './plain.ts';

const history = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  invalidShare: fc.constantFrom(0, 0, 0.03),
  disorderShare: fc.constantFrom(0, 0, 0.03),
});

test('any split into chunks gives the same documents', t => {
  fc.assert(
    fc.property(history, fc.array(fc.integer({ min: 1, max: 40 })), (options, sizes) => {
      const events = eventsOf(randomHistory({ ...SMALL, ...options }));
      const whole = run([events]);
      const cut = run(chunksOf(events, sizes));
      t.deepEqual(dump(cut), dump(whole));
    }),
    { numRuns: 25 },
  );
});

test('any repetition of events gives the same documents', t => {
  fc.assert(
    fc.property(
      history,
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
      (options, back) => {
        const events = eventsOf(
          randomHistory({ ...SMALL, ...options, invalidShare: 0, disorderShare: 0 }),
        );
        const once = run([events]);
        const again = createMemoryStore();
        let offset = 0;
        chunksOf(events, [25]).forEach((chunk, index) => {
          applyToMemory(again, chunk, offset);
          offset += chunk.length;
          // Goes back some events and delivers them again.
          const from = Math.max(0, offset - (back[index % back.length] ?? 1));
          applyToMemory(again, events.slice(from, offset), from);
        });
        t.deepEqual(dump(again), dump(once));
      },
    ),
    { numRuns: 15 },
  );
});

const SMALL = { events: 250, budgets: 2, spaces: 1, users: 2, wildNames: true };

function run(chunks: readonly (readonly object[])[]): MemoryStore {
  const store = createMemoryStore();
  let offset = 0;
  for (const chunk of chunks) {
    applyToMemory(store, chunk, offset);
    offset += chunk.length;
  }
  return store;
}

function chunksOf<T>(events: readonly T[], sizes: readonly number[]): T[][] {
  const chunks: T[][] = [];
  for (let from = 0, index = 0; from < events.length; index += 1) {
    const size = sizes.length === 0 ? events.length : (sizes[index % sizes.length] ?? 1);
    chunks.push(events.slice(from, from + size));
    from += size;
  }
  return chunks;
}

// Text, because equal means byte for byte.
function dump({ heads, documents, waiting }: MemoryStore): string[] {
  return [...heads, ...documents, ...waiting]
    .map(([key, value]) => `${key} ${JSON.stringify(sortKeys(value))}`)
    .sort();
}
