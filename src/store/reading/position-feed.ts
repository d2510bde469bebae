// Tells users the positions of their budgets: at first all of them, then each change. All users of a process share the
// change stream and each round of reading. Positions are read in a snapshot of the active generation, as answers are,
// so every answer from then on contains it.
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../../process/describe-error.ts';
import type { Logger } from '../../process/log.ts';
import { withDeadline } from '../database-errors.ts';
import { activeGeneration, readRegistry } from '../registry.ts';
import {
  onSnapshot,
  type ReadDatabase,
  requireKept,
  retriedSnapshot,
  startClock,
} from '../snapshot.ts';
import type { PositionWatcher } from './position-watcher.ts';
import {
  type BudgetPositions,
  findPositions,
  findReach,
  type Reach,
} from './queries/reached-positions.ts';
import { createReachState, type PositionChange, type Stale } from './reach-state.ts';

export interface PositionFeed {
  /**
   * Follows what a user reaches: calls `listener` with the positions of all budgets, then with each change. Resolves after
   * the first call, to the function that ends this; to null if no read model is built yet. Rejects if the database does
   * not answer.
   */
  follow(owner: string, listener: PositionListener): Promise<(() => void) | null>;
}

export type PositionListener = (changes: readonly PositionChange[]) => void;

interface ReachReaderOptions {
  readonly db: ReadDatabase;
  /** Called before each reading, which fails if it rejects. */
  readonly admit: () => Promise<void>;
  /** Longest time of one query, and of a reading, in milliseconds. */
  readonly queryMsMax: number;
  readonly roundMsMax: number;
}

export interface PositionFeedOptions extends ReachReaderOptions {
  readonly watcher: Pick<PositionWatcher, 'follow'>;
  readonly logger: Logger;
}

interface Joiner {
  readonly owner: string;
  readonly listener: PositionListener;
  readonly resolve: (stop: (() => void) | null) => void;
  readonly reject: (error: unknown) => void;
}

const RETRY_MS = 500;

export function createPositionFeed(options: PositionFeedOptions): PositionFeed {
  const { watcher, logger } = options;
  const state = createReachState();
  const listeners = new Map<string, Set<PositionListener>>();
  const read = createReachReader(options);
  /** Those of the next round, and of this one. */
  let joiners: Joiner[] = [];
  let joining: readonly Joiner[] = [];
  let isReading = false;
  let unfollow: (() => void) | null = null;

  const isNeeded = () => listeners.size + joiners.length + joining.length > 0;

  /** Reads what is stale, round after round: what changes during one is read in the next. */
  async function run(): Promise<void> {
    isReading = true;
    while (isNeeded() && (state.isStale() || joiners.length > 0)) {
      joining = joiners;
      joiners = [];
      for (const { owner } of joining) state.add(owner);
      const stale = state.take();
      try {
        publish(stale, await read(stale));
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
  function publish(stale: Stale, found: FoundReach | null): void {
    const changed = found && state.apply(found.reaches, found.positions, stale);
    for (const [owner, changes] of changed ?? []) {
      for (const listener of listeners.get(owner) ?? []) listener(changes);
    }
    release(joiner => joiner.resolve(changed && join(joiner)));
  }

  /** Ends the round for those who join in it. */
  function release(settleOne: (joiner: Joiner) => void): void {
    const released = joining;
    joining = [];
    for (const joiner of released) settleOne(joiner);
    forget(released.map(({ owner }) => owner));
  }

  /** Tells everything that is known of the user, and returns the function that ends it. */
  function join({ owner, listener }: Joiner): () => void {
    const own = listeners.get(owner) ?? new Set();
    listeners.set(owner, own.add(listener));
    listener(allOf(state.positionsOf(owner)));
    return () => {
      own.delete(listener);
      if (own.size === 0 && listeners.get(owner) === own) listeners.delete(owner);
      forget([owner]);
    };
  }

  /** Forgets those of the users that have no follower any more. */
  function forget(owners: readonly string[]): void {
    const left = owners.filter(id => !listeners.has(id) && joining.every(one => one.owner !== id));
    for (const owner of left) state.remove(owner);
    if (isNeeded()) return;
    unfollow?.();
    unfollow = null;
  }

  return {
    follow(owner, listener) {
      return new Promise((resolve, reject) => {
        joiners.push({ owner, listener, resolve, reject });
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

function allOf(positions: BudgetPositions): PositionChange[] {
  return [...positions].map(([budgetId, position]) => ({ budgetId, position }));
}

interface FoundReach {
  readonly reaches: ReadonlyMap<string, Reach>;
  readonly positions: BudgetPositions;
}

/**
 * Returns a function that reads what is stale, in one snapshot of the generation that is active at that instant; it
 * returns null without an active generation.
 */
function createReachReader(
  options: ReachReaderOptions,
): (stale: Stale) => Promise<FoundReach | null> {
  const { db, admit, queryMsMax, roundMsMax } = options;
  // Generations rarely change: the last known one is used, and checked in the snapshot.
  let generation: string | null = null;

  async function readIn(id: string, { owners, budgets }: Stale) {
    const readMs = startClock();
    const reading = onSnapshot({ db, generation: id, queryMsMax }, async reading => ({
      reaches: owners.length > 0 ? await findReach(reading, owners) : new Map<string, Reach>(),
      positions:
        budgets.length > 0 ? await findPositions(reading, budgets) : new Map<string, number>(),
      active: (await readRegistry(db, { ...reading.options, projection: { active: 1 } })).active,
    }));
    return await reading.finally(() => requireKept(db, id, readMs));
  }

  async function readActive(stale: Stale): Promise<FoundReach | null> {
    generation ??= await activeGeneration(db);
    while (generation !== null) {
      const { active, ...found } = await readIn(generation, stale);
      if (active === generation) return found;
      generation = active;
    }
    return null;
  }

  return async stale => {
    await admit();
    return await withDeadline(
      roundMsMax,
      retriedSnapshot(db, () => readActive(stale)),
    );
  };
}
