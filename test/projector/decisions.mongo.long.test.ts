// Random histories with every kind of fault, and an operator who acts at random: whatever was decided and when, a fresh
// build of another generation has the same documents.
import test from 'ava';
import { listHeld, retryHeld, skipHeld } from '../../src/projector/operate/parked.ts';
import { useMongo } from '../helpers/mongo.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { createRandom, type Random } from '../histories/random.ts';
import type { Draft } from '../histories/row-actions.ts';
import { eventMaker } from '../projections/story.ts';
import { differencesIn } from './differences-in.ts';
import type { RawValue } from './log-in-memory.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';
import { dump } from './test-store.ts';

const LIMITS = { rowsMax: 20_000 };
const NOW = new Date('2026-03-14T09:26:53.589Z');

const eventOf = eventMaker('stream');
const numbered = (sequence: number, type: string, data: object) =>
  eventOf({ type, data } as Draft, { sequence, id: `${type}.${sequence}` });
const SPACE = numbered(1, 'space.created', { name: null });
const added = (sequence: number) => numbered(sequence, 'space.member-added', { userId: 'ann' });
const removed = (sequence: number) => numbered(sequence, 'space.member-removed', { userId: 'ann' });
const raw = (event: object) => ({ key: null, raw: JSON.stringify(event) });

/** Records that leave a stream held in some way; then missing sequences are given up. */
const HELD_CASES: Readonly<Record<string, readonly (object | RawValue)[]>> = {
  'a member was removed before the turn': [SPACE, added(2), removed(5), added(3)],
  'what is behind missing numbers is invalid': [SPACE, numbered(4, 'budget.archived', {})],
  'a given-up number came all the same': [SPACE, numbered(4, 'budget.archived', {}), added(3)],
  'a record has no key': [SPACE, raw(added(2)), removed(4)],
};

const mongo = useMongo(test);

for (const seed of [1, 2, 3]) {
  test(`a rebuild repeats the decisions, and queues agree with heads (seed ${seed})`, async t => {
    const random = createRandom(seed);
    const events = eventsOf(
      randomHistory({
        seed: seed + 70,
        events: 700,
        budgets: 3,
        spaces: 2,
        users: 3,
        wildNames: true,
        invalidShare: 0.02,
        disorderShare: 0.02,
        duplicateShare: 0.02,
      }),
    );
    // Some events never arrive.
    const arriving = events.filter(() => !random.chance(0.005));
    const live = await createPartitionScene(mongo.database('decided'));
    let acts = 0;
    for (let from = 0; from < arriving.length; from += 60) {
      await live.tell(
        ...arriving.slice(from, from + 60),
        ...garbage(random, arriving[from]?.subject),
      );
      for (const { id, held } of await listHeld(live.store)) {
        const queue = await live.queue(id);
        t.is(held?.queued, queue.length, id);
        if (random.chance(0.7)) acts += (await act(live, id, random)) ? 1 : 0;
      }
      t.deepEqual(await differencesIn(live), [], `after ${from} events`);
    }
    // In the end no stream is held; before that, the reason of a held stream depends on when the operator acted.
    for (
      let held = await listHeld(live.store);
      held.length > 0;
      held = await listHeld(live.store)
    ) {
      for (const { id } of held) acts += (await act(live, id, random)) ? 1 : 0;
    }
    t.true(acts > 5, `the operator acted ${acts} times only`);
    t.is(await live.store.collections.waiting.countDocuments(), 0);
    const fresh = await createPartitionScene(live.db, {
      generation: 'g2',
      eventLog: live.eventLog,
    });
    const claimed = await fresh.claim();
    // With other chunks than live.
    let current = claimed;
    for (let from = 0; from < live.eventLog.records.length; from += 89) {
      current = await fresh.apply(current, live.eventLog.records.slice(from, from + 89));
    }
    const [wasLive, isFresh] = [await dump(live.store), await dump(fresh.store)];
    // Only the differences, because the whole dump would be unreadable.
    t.deepEqual(
      isFresh.filter(line => !wasLive.includes(line)),
      wasLive.filter(line => !isFresh.includes(line)),
    );
  });
}

for (const [what, events] of Object.entries(HELD_CASES)) {
  test(`verification finds no difference where ${what}`, async t => {
    const scene = await createPartitionScene(mongo.database('decided'));
    await scene.tell(...events);
    const [{ id } = { id: '' }] = await listHeld(scene.store);
    t.deepEqual(await differencesIn(scene), []);
    if ((await scene.head(id))?.held?.why !== 'gap') return;
    await skipHeld(scene.store, id, { missing: true, limits: LIMITS, now: NOW });
    t.deepEqual(await differencesIn(scene), []);
  });
}

function garbage(random: Random, key: string | undefined): { key: string; raw: string }[] {
  return key !== undefined && random.chance(0.1) ? [{ key, raw: `{"no": ${random.next()}` }] : [];
}

/** Sometimes retries; otherwise skips whatever holds the stream, in the right way. */
async function act({ store }: PartitionScene, id: string, random: Random): Promise<boolean> {
  if (random.chance(0.2)) {
    await retryHeld(store, id, LIMITS);
    return false;
  }
  const head = await store.collections.heads.findOne({ _id: id });
  await skipHeld(store, id, { missing: head?.held?.why === 'gap', limits: LIMITS, now: NOW });
  return true;
}
