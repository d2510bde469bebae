// Chunks leave no trace: however a log is cut, also one whose producer gave a sequence to two events, the same documents, heads
// and queues are stored (rules/events.md#turns-in-a-queue).
import test from 'ava';
import { DOCUMENT_KINDS } from '../../projections/document-kinds.ts';
import type { LogRecord } from '../../src/event-log/event-log.ts';
import { createRandom, type Random } from '../../src/process/random.ts';
import type { Draft } from '../histories/row-actions.ts';
import { account, budget, member, payee, row, space } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { eventMaker } from '../projections/story.ts';
import { isSkippedBy } from '../protocol/queue-log.ts';
import { applyInChunks } from './chunked.ts';
import type { SimStore } from './sim-store.ts';
import { differencesIn } from './verified.ts';

const SEEDS = 400;
const DELETED: Draft = { type: 'budget.deleted', data: {} };
const INVALID = row('lost', { accountId: 'nowhere' });

const DRAFTS: Readonly<Record<string, readonly Draft[]>> = {
  budget: [
    ...[row('a'), row('b'), row('c'), payee('p'), payee('q'), INVALID, DELETED],
    { type: 'account.renamed', data: { accountId: 'home', name: 'Renamed' } },
  ],
  space: ['anna', 'ben'].flatMap(userId => [
    member(userId),
    { type: 'space.member-removed', data: { userId } },
  ]),
};

/** Returns a log of one stream with duplicates, conflicts, gaps that close later, and records that are no events. */
function logOf(kind: string, random: Random): LogRecord[] {
  const some = () => random.pick(DRAFTS[kind] ?? []);
  const begin = kind === 'space' ? space([]).slice(0, 1) : [budget('s'), account('home', true)];
  const drafts = [...begin, ...Array.from({ length: random.between(3, 7) }, some)];
  const eventOf = eventMaker('x');
  const events: LogEvent[] = drafts.map(draft => eventOf(draft));
  const anywhere = () => random.between(1, events.length);
  for (let count = random.between(0, 2); count > 0; count -= 1) {
    const sequence = random.between(2, drafts.length);
    const conflict = { ...eventOf(some()), sequence, id: `conflict-${count}` };
    events.splice(anywhere(), 0, conflict);
  }
  if (random.chance(0.2)) events.splice(anywhere(), 0, random.pick(events));
  for (let count = random.between(0, 2); count > 0; count -= 1) {
    events.push(...events.splice(random.below(events.length), 1));
    events.splice(anywhere(), 0, ...events.splice(-1));
  }
  const values: unknown[] = events;
  if (random.chance(0.2)) values.splice(random.between(2, values.length), 0, { noise: true });
  return values.map((value, offset) => {
    return { partition: 0, offset, key: 'x', value: Buffer.from(JSON.stringify(value)) };
  });
}

/** Returns what is stored, without the number of decisions: a later build has all of them at once. */
function storedIn(sim: SimStore): unknown {
  const swept = sim.documents('sweeps');
  const kinds = DOCUMENT_KINDS.map(kind =>
    [...sim.documents(kind).values()].filter(({ set }) => !swept.has(set)),
  );
  const heads = [...sim.documents('heads').values()].map(({ decided: _, ...head }) => head);
  const ids = ['waiting', 'quarantine'].map(name => [...sim.documents(name).keys()].sort());
  const all = [
    heads,
    ids,
    kinds.map(documents => documents.map(one => JSON.stringify(one)).sort()),
  ];
  return JSON.parse(JSON.stringify(all));
}

for (const kind of Object.keys(DRAFTS)) {
  test(`however the log of a ${kind} is cut, the same is stored`, async t => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const random = createRandom(seed);
      const log = logOf(kind, random);
      const decided: string[] = [];
      const skips = random.chance(0.5) ? () => random.chance(0.4) : () => false;
      const sizes = log.map(() => random.between(1, 3));
      const stepMax = random.pick([1, 2, 3, 1000]);
      const name = `seed ${seed}: ${log.map(({ value }) => value)}`;
      const live = await applyInChunks(log, sizes, { decided, stepMax, skips });
      t.deepEqual(differencesIn(live, log, isSkippedBy(decided)), [], name);
      for (const others of [[], log.map(() => 1)]) {
        const again = await applyInChunks(log, others, { decided, stepMax });
        t.deepEqual(storedIn(again), storedIn(live), name);
        t.deepEqual(differencesIn(again, log, isSkippedBy(decided)), [], name);
      }
    }
  });
}
