// What one step of a drain takes from a queue: the first turns of the whole queue, however little it takes at a time.
import test from 'ava';
import type { Head } from '../../projections/documents.ts';
import { newHead } from '../../projections/new-head.ts';
import { createRandom, type Random } from '../../src/process/random.ts';
import { nextEntries } from '../../src/projector/queue/entries.ts';
import { payee } from '../model/scene.ts';
import { eventMaker } from '../projections/story.ts';
import { simCollections } from '../simulation/sim-collections.ts';
import { SimStore } from '../simulation/sim-store.ts';

const SEEDS = 300;

/** Fills a queue at random: records without a sequence, conflicts, gaps, in an order of arrival of their own. */
function queueOf(random: Random): SimStore {
  const store = new SimStore();
  const entries = Array.from({ length: random.between(1, 9) }, (_, offset) => {
    const sequence = random.between(0, 7);
    const event = { ...eventMaker('x')(payee('p')), sequence, id: `${offset}` };
    const value = Buffer.from(JSON.stringify(sequence === 0 ? { noise: true } : event));
    const _id = `x/${String(sequence).padStart(10, '0')}/0/${offset}`;
    return { _id, subject: 'x', partition: 0, offset, sequence, eventId: `${offset}`, value };
  });
  for (const entry of entries) store.documents('waiting').set(entry._id, entry);
  return store;
}

test('it takes the first turns of the queue, and nothing only where the queue is empty', async t => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const random = createRandom(seed);
    const store = queueOf(random);
    const collections = simCollections(store, async (_, act) => act());
    const head: Head = { ...newHead('x', 0), sequence: random.between(0, 4) };
    const skipped = random.between(0, 9);
    const isSkipped = (_: string, sequence: number, eventId: string | null) =>
      sequence === skipped && eventId === null;
    const idsOf = async (eventsMax: number) => {
      const found = await nextEntries({ collections }, head, { isSkipped, eventsMax });
      return found.map(({ id }) => id);
    };
    const waiting = store.documents('waiting');
    while (waiting.size > 0) {
      const all = await idsOf(1000);
      for (let eventsMax = 1; eventsMax <= 10; eventsMax += 1) {
        const taken = await idsOf(eventsMax);
        t.true(taken.length > 0, `seed ${seed}, ${eventsMax} at a time`);
        t.deepEqual(taken, all.slice(0, taken.length), `seed ${seed}, ${eventsMax} at a time`);
      }
      for (const id of all) waiting.delete(id);
    }
    t.deepEqual(await idsOf(1), []);
  }
});
