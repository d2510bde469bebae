// Opens the snapshot of a request about a budget; its first query finds out whether the user reaches the budget.
// Requests that arrive while such a query runs share the next one, and its snapshot.
import type { Db } from 'mongodb';
import { createBatches } from '../../process/batches.ts';
import { withDeadline } from '../database-errors.ts';
import { activeGeneration } from '../registry.ts';
import {
  abandonable,
  openReading,
  type Reading,
  type ReadingOptions,
  requireKept,
  retriedSnapshot,
  startClock,
} from '../snapshot.ts';
import {
  type ActiveGeneration,
  type BudgetQuestion,
  findBudgets,
  type ReachedBudget,
} from './queries/reach.ts';

interface Opened {
  readonly reading: Reading;
  readonly reached: ReachedBudget | null;
  /** Each request calls it once; the last call ends the session. */
  release(): Promise<void>;
}

export interface InReachOptions extends Pick<ReadingOptions, 'db' | 'queryMsMax'> {
  /** Stops the queries of this request alone; the look-up of its reach, which others share, goes on. */
  readonly signal: AbortSignal;
}

type Open = (question: BudgetQuestion) => Promise<Opened | null>;

const opening = new WeakMap<Db, Open>();

/**
 * Runs queries on one snapshot of the active generation, and returns their result. `reached` is null when the user
 * does not reach the budget. Returns undefined without an active generation. The queries run again, on the next
 * generation, if theirs was dropped meanwhile.
 */
export async function inReach<T>(
  { db, queryMsMax, signal }: InReachOptions,
  question: BudgetQuestion,
  query: (reading: Reading, reached: ReachedBudget | null) => Promise<T>,
): Promise<T | undefined> {
  const open = opening.get(db) ?? openTogether(db, queryMsMax);
  opening.set(db, open);
  return await retriedSnapshot(db, async () => {
    const readMs = startClock();
    const opened = await open(question);
    if (opened === null) return undefined;
    const { reading, reached, release } = opened;
    try {
      signal.throwIfAborted();
      return await query(abandonable(reading, signal), reached);
    } finally {
      await release();
      await requireKept(db, reading.generation, readMs);
    }
  });
}

/** Generations rarely change: queries use the last known one, and check in their snapshot that it is still active. */
function openTogether(db: Db, queryMsMax: number): Open {
  let generation: string | null = null;
  return createBatches<BudgetQuestion, Opened | null>(async questions => {
    generation ??= await activeGeneration(db);
    while (generation !== null) {
      const { active, opened } = await openIn({ db, generation, queryMsMax }, questions);
      generation = active?.id ?? null;
      if (opened !== null) return opened;
    }
    return questions.map(() => null);
  });
}

/** Returns null as `opened` when another generation is active, or none. */
async function openIn(
  { db, generation, queryMsMax }: Omit<ReadingOptions, 'session'>,
  questions: readonly BudgetQuestion[],
): Promise<{ active: ActiveGeneration | null; opened: Opened[] | null }> {
  const session = db.client.startSession({ snapshot: true });
  let openRequests = questions.length;
  const release = async () => {
    openRequests -= 1;
    if (openRequests === 0) await session.endSession();
  };
  try {
    const reading = openReading({ db, generation, session, queryMsMax });
    const { active, found } = await withDeadline(queryMsMax, findBudgets(reading, questions));
    if (active?.id === generation) {
      const versioned = { ...reading, version: active.version };
      return { active, opened: found.map(reached => ({ reading: versioned, reached, release })) };
    }
    await session.endSession();
    return { active, opened: null };
  } catch (error) {
    await session.endSession();
    throw error;
  }
}
