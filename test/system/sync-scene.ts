// Clients that follow /changes through a random history: while events are projected, big changes run as shadow sets,
// budgets are rebuilt and operators skip events. Their copies must equal the lists of version 1.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { UserError } from '../../src/process/errors.ts';
import { listHeld, skipHeld } from '../../src/projector/operate/parked.ts';
import { rebuildStream } from '../../src/projector/shadow/rebuild-stream.ts';
import type { TestMongo } from '../helpers/mongo.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { HISTORY_TODAY } from '../histories/live-budget.ts';
import { createRandom, type Random } from '../histories/random.ts';
import { type RunningSystem, startSystem } from './running-system.ts';
import {
  createSyncClient,
  type Get,
  listedCopy,
  type Step,
  type SyncClient,
} from './sync-client.ts';

const USER = 'user-1';
const LIMITS = [1, 2, 3, 7, 25, 1000];
const BUDGETS = ['budget-1'];
const CLIENTS_MAX = 3;
const ATTEMPTS_MAX = 100;
const PAUSE_MS = 50;
const now = () => new Date(`${HISTORY_TODAY}T12:00:00Z`);

export interface Followed {
  /** Copies that were compared. */
  compared: number;
  pages: number;
  rebuilds: number;
  /** Document sets that were seen: big changes and rebuilds swap in new ones. */
  sets: number;
}

interface Following {
  readonly t: ExecutionContext;
  readonly system: RunningSystem;
  readonly get: Get;
  readonly random: Random;
  readonly seed: number;
  readonly rowsMax: number;
  readonly counts: Followed;
  readonly sets: Set<string>;
  /** By budget. */
  readonly clients: Map<string, SyncClient[]>;
}

/** Plays one history; the same seed gives the same events, pages and rebuilds. */
export async function followHistory(
  t: ExecutionContext,
  mongo: TestMongo,
  seed: number,
): Promise<Followed> {
  const random = createRandom(seed);
  const rowsMax = random.pick([1, 3, 8, 20_000]);
  const history = randomHistory({
    seed,
    events: random.between(150, 350),
    budgets: BUDGETS.length,
    spaces: 1,
    users: 2,
    wildNames: random.chance(0.3),
    invalidShare: random.pick([0, 0, 0.01]),
    disorderShare: random.pick([0, 0, 0.03]),
    duplicateShare: random.pick([0, 0.05]),
  });
  const recordsMax = random.pick([5, 40, 500]);
  const system = await startSystem(mongo, { now, recordsMax, rowsMax, partitions: 1 });
  const { token } = await system.tokens.issue({ owner: USER }, now());
  const counts = { compared: 0, pages: 0, rebuilds: 0, sets: 0 };
  const following: Following = {
    ...{ t, system, random, seed, rowsMax, counts, sets: new Set<string>() },
    get: (path, headers) => system.get(path, token, headers),
    clients: new Map(BUDGETS.map(budget => [budget, []])),
  };
  try {
    const events = eventsOf(history);
    for (let from = 0; from < events.length; ) {
      const to = from + random.between(5, 60);
      await playSlice(following, events.slice(from, to));
      from = to;
    }
    await skipAll(following);
    await syncAll(following);
    return { ...counts, sets: following.sets.size };
  } finally {
    await system.stop();
  }
}

async function playSlice(
  following: Following,
  events: readonly { subject: string }[],
): Promise<void> {
  const { system, random, clients } = following;
  await system.append(events);
  for (const [budget, own] of clients) {
    const isWanted = own.length === 0 || (own.length < CLIENTS_MAX && random.chance(0.15));
    if (isWanted) own.push(createSyncClient(following.get, budget));
    for (const client of own) {
      const steps = random.below(5);
      for (let step = 0; step < steps; step += 1) {
        if ((await stepOf(following, client)) !== 'up to date') continue;
        await compare(following, budget, client);
        break;
      }
    }
  }
  if (!random.chance(0.5)) return;
  await quiet(following);
  if (random.chance(0.2)) await rebuild(following, random.pick(BUDGETS));
  if (random.chance(0.2)) await skipAll(following);
  await syncAll(following);
}

function stepOf({ random, counts }: Following, client: SyncClient): Promise<Step> {
  counts.pages += 1;
  return client.step(random.chance(0.2) ? random.between(1, 1000) : random.pick(LIMITS));
}

/** Waits until everything is applied, big changes too. */
async function quiet({ system }: Following): Promise<void> {
  await system.projected();
  for (;;) {
    const held = await listHeld(system.store);
    if (held.every(head => head.held?.why !== 'change')) return;
    await sleep(10);
  }
}

/** Brings some clients up to date, and compares; nothing is projected meanwhile. */
async function syncAll(following: Following): Promise<void> {
  const { t, system, random, clients, seed } = following;
  await quiet(following);
  const heads = await system.store.collections.heads.find({ set: { $ne: null } }).toArray();
  for (const { set } of heads) following.sets.add(set ?? '');
  for (const [budget, own] of clients) {
    for (const client of own) {
      if (random.chance(0.3)) continue;
      t.true(
        await isEqual(following, budget, client),
        `seed ${seed}: no lists at the position of the copy`,
      );
    }
  }
}

/** Follows to the end and compares. A queue whose gap was filled may still be drained, so it may take some attempts. */
async function isEqual(following: Following, budget: string, client: SyncClient): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    let step = await stepOf(following, client);
    while (step === 'more') step = await stepOf(following, client);
    // A copy that is not up to date, because the service was away, equals no lists.
    const isComplete = step === 'up to date' && (await compare(following, budget, client));
    if (step === 'gone' || isComplete) return true;
    await sleep(PAUSE_MS);
  }
  return false;
}

/** Returns whether there was one position to compare at. */
async function compare(
  { t, get, counts, seed }: Following,
  budget: string,
  client: SyncClient,
): Promise<boolean> {
  const listed = await listedCopy(get, budget);
  if (listed === null || listed.position !== client.position) return false;
  t.deepEqual(client.copy(), listed.copy, `seed ${seed}, ${budget} at ${listed.position}`);
  counts.compared += 1;
  return true;
}

/** Rebuilds the documents of a budget from the log. */
async function rebuild({ system, rowsMax, counts }: Following, budget: string): Promise<void> {
  const head = await system.store.collections.heads.findOne({ _id: budget });
  if (!head?.budget || head.deleted) return;
  try {
    await rebuildStream(system.openStore(), budget, {
      eventLog: system.source.eventLog,
      limits: { rowsMax },
      now: now(),
      signal: new AbortController().signal,
    });
    counts.rebuilds += 1;
  } catch (error) {
    // An operator is asked to wait then.
    if (!(error instanceof UserError && /held for a big change/.test(error.message))) throw error;
  }
}

/** An operator skips until nothing is parked. */
async function skipAll(following: Following): Promise<void> {
  const { system, rowsMax } = following;
  await quiet(following);
  for (;;) {
    const [parked] = (await listHeld(system.store)).filter(({ held }) => held?.why === 'parked');
    if (!parked) return;
    await skipHeld(system.store, parked.id, {
      missing: false,
      limits: { rowsMax },
      now: now(),
    });
  }
}
