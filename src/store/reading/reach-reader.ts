// Reads what is stale of the users that are followed, in one snapshot of the generation that is active at that instant.
import { withDeadline } from '../database-errors.ts';
import { activeGeneration, readRegistry } from '../registry.ts';
import {
  onSnapshot,
  type ReadDatabase,
  type Reading,
  requireKept,
  retriedSnapshot,
  startClock,
} from '../snapshot.ts';
import {
  type BudgetPositions,
  findPositions,
  findReach,
  type Reach,
} from './queries/reached-positions.ts';
import type { Stale } from './reach-state.ts';

export interface ReachReaderOptions {
  readonly db: ReadDatabase;
  /** Called before each reading, which fails if it rejects. */
  readonly admit: () => Promise<void>;
  /** Longest time of one query, and of a reading, in milliseconds. */
  readonly queryMsMax: number;
  readonly roundMsMax: number;
}

export interface FoundReach {
  readonly reaches: ReadonlyMap<string, Reach>;
  readonly positions: BudgetPositions;
}

/** Returns a function that reads what is stale; it returns null without an active generation. */
export function createReachReader(
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
      active: await activeAt(reading),
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

async function activeAt({ database, options }: Reading) {
  return (await readRegistry(database, { ...options, projection: { active: 1 } })).active;
}
