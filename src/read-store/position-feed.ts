// Tells users the positions of their budgets: at first all of them, then each change. All users of a process share the
// change stream and each round of reading. What is told was read in a snapshot of the active generation, as answers are,
// so every answer from then on contains it.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, reasonOf } from '../log.ts';
import { withDeadline } from './deadline.ts';
import type { PositionWatcher } from './position-watcher.ts';
import {
  findPositions,
  findReach,
  type Positions,
  type Reach,
} from './queries/reached-positions.ts';
import { createReachState, type PositionChange, type Stale } from './reach-state.ts';
import { activeGeneration } from './registry.ts';
import {
  onSnapshot,
  type ReadDatabase,
  type Reading,
  requireKept,
  retriedSnapshot,
  startClock,
} from './snapshot.ts';

export interface PositionFeed {
  /**
   * Follows what a user reaches: calls `tell` with the positions of all budgets, then with each change. Resolves after
   * the first call, to the function that ends this; to null if no read model is built yet. Rejects if the database does
   * not answer.
   */
  follow(owner: string, tell: Tell): Promise<(() => void) | null>;
}

export type Tell = (changes: readonly PositionChange[]) => void;

export interface PositionFeedOptions {
  readonly db: ReadDatabase;
  readonly watcher: Pick<PositionWatcher, 'follow'>;
  readonly logger: Log;
  /** Called before each round; nothing is told while it rejects. */
  readonly admit: () => Promise<void>;
  /** Longest time of one query, and of a round, in milliseconds. */
  readonly queryMsMax: number;
  readonly roundMsMax: number;
}

interface Joiner {
  readonly owner: string;
  readonly tell: Tell;
  readonly resolve: (stop: (() => void) | null) => void;
  readonly reject: (error: unknown) => void;
}

interface Read {
  readonly reaches: ReadonlyMap<string, Reach>;
  readonly positions: Positions;
}

const RETRY_MS = 500;

export function createPositionFeed(options: PositionFeedOptions): PositionFeed {
  const { watcher, logger, admit, roundMsMax } = options;
  const state = createReachState();
  const tells = new Map<string, Set<Tell>>();
  const read = createRead(options);
  /** Those of the next round, and of this one. */
  let joiners: Joiner[] = [];
  let joining: readonly Joiner[] = [];
  let isReading = false;
  let unfollow: (() => void) | null = null;

  const isNeeded = () => tells.size + joiners.length + joining.length > 0;

  /** Reads what is stale, round after round: what changes during one is read in the next. */
  async function run(): Promise<void> {
    isReading = true;
    while (isNeeded() && (state.isStale() || joiners.length > 0)) {
      joining = joiners;
      joiners = [];
      for (const { owner } of joining) state.add(owner);
      const stale = state.take();
      try {
        await admit();
        settle(stale, await withDeadline(roundMsMax, read(stale)));
      } catch (error) {
        logger.warn({ reason: reasonOf(error) }, 'positions not read, retrying');
        state.putBack(stale);
        release(({ reject }) => reject(error));
        await sleep(RETRY_MS);
      }
    }
    isReading = false;
  }

  /** `found` is null without an active generation: the watcher tells when there is one. */
  function settle(stale: Stale, found: Read | null): void {
    if (found === null) return release(({ resolve }) => resolve(null));
    for (const [owner, changes] of state.apply(found.reaches, found.positions, stale)) {
      for (const tell of tells.get(owner) ?? []) tell(changes);
    }
    release(joiner => joiner.resolve(join(joiner)));
  }

  /** Ends the round for those who join in it. */
  function release(settleOne: (joiner: Joiner) => void): void {
    const released = joining;
    joining = [];
    for (const joiner of released) settleOne(joiner);
    forget(released.map(({ owner }) => owner));
  }

  /** Tells everything that is known of the user, and returns the function that ends it. */
  function join({ owner, tell }: Joiner): () => void {
    const own = tells.get(owner) ?? new Set();
    tells.set(owner, own.add(tell));
    tell([...state.positionsOf(owner)].map(([budgetId, position]) => ({ budgetId, position })));
    return () => {
      own.delete(tell);
      if (own.size > 0) return;
      if (tells.get(owner) === own) tells.delete(owner);
      forget([owner]);
    };
  }

  /** Forgets those of the users whom nobody follows any more. */
  function forget(owners: readonly string[]): void {
    for (const owner of owners) {
      const isFollowed = tells.has(owner) || joining.some(joiner => joiner.owner === owner);
      if (!isFollowed) state.remove(owner);
    }
    if (isNeeded()) return;
    unfollow?.();
    unfollow = null;
  }

  return {
    follow(owner, tell) {
      return new Promise((resolve, reject) => {
        joiners.push({ owner, tell, resolve, reject });
        // Before the first reading, so that no change after it is missed.
        unfollow ??= watcher.follow(change => {
          state.note(change);
          if (!isReading) void run();
        });
        if (!isReading) void run();
      });
    },
  };
}

/** Returns a function that reads what is stale at one instant, null without an active generation. */
function createRead({ db, queryMsMax }: PositionFeedOptions): (stale: Stale) => Promise<Read | null> {
  // Generations rarely change: the last known one is used, and checked in the snapshot.
  let generation: string | null = null;

  async function readIn(id: string, { owners, budgets }: Stale) {
    const readMs = startClock();
    const reading = onSnapshot({ db, generation: id, queryMsMax }, async reading => ({
      reaches: owners.length > 0 ? await findReach(reading, owners) : new Map<string, Reach>(),
      positions: budgets.length > 0 ? await findPositions(reading, budgets) : new Map<string, number>(),
      active: await activeAt(reading),
    }));
    return await reading.finally(() => requireKept(db, id, readMs));
  }

  return stale =>
    retriedSnapshot(db, async () => {
      generation ??= await activeGeneration(db);
      while (generation !== null) {
        const { active, ...found } = await readIn(generation, stale);
        if (active === generation) return found;
        generation = active;
      }
      return null;
    });
}

async function activeAt({ database, options }: Reading): Promise<string | null> {
  const found = await database
    .collection<{ _id: string; active: string | null }>('registry')
    .findOne({ _id: 'registry' }, { ...options, projection: { active: 1 } });
  return found?.active ?? null;
}
