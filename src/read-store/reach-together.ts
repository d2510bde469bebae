// What a request about a budget reads begins with whether its user reaches it, in the generation that answers.
// Requests that come while others are being told share that question, and the instant that it is answered at.
import type { Db } from 'mongodb';
import { within } from '../access/within.ts';
import { createBatches } from '../batches.ts';
import { type BudgetQuestion, findBudgets, type ReachedBudget } from './queries/reach.ts';
import { activeGeneration } from './registry.ts';
import { openReading, type Reading, retriedSnapshot } from './snapshot.ts';

interface Opened {
  readonly reading: Reading;
  readonly reached: ReachedBudget | null;
  /** To be called once by each request: the last one ends the session. */
  release(): Promise<void>;
}

type Open = (question: BudgetQuestion) => Promise<Opened | null>;

const opening = new WeakMap<Db, Open>();

/**
 * Runs queries on one snapshot that begins with the question whether a user reaches a budget; `reached` is null
 * where not. Undefined without a generation that answers.
 */
export async function inReach<T>(
  db: Db,
  question: BudgetQuestion,
  queryMsMax: number,
  work: (reading: Reading, reached: ReachedBudget | null) => Promise<T>,
): Promise<T | undefined> {
  const open = opening.get(db) ?? openTogether(db, queryMsMax);
  opening.set(db, open);
  return await retriedSnapshot(db, async () => {
    const opened = await open(question);
    if (opened === null) return undefined;
    try {
      return await work(opened.reading, opened.reached);
    } finally {
      await opened.release();
    }
  });
}

/** A generation answers for a long time: the last one is asked, and in the same snapshot whether it still answers. */
function openTogether(db: Db, queryMsMax: number): Open {
  let generation: string | null = null;
  return createBatches<BudgetQuestion, Opened | null>(async questions => {
    generation ??= await activeGeneration(db);
    while (generation !== null) {
      const { active, opened } = await openIn(db, generation, questions, queryMsMax);
      generation = active;
      if (opened !== null) return opened;
    }
    return questions.map(() => null);
  });
}

/** `opened` is null where another generation answers, or none. */
async function openIn(
  db: Db,
  generation: string,
  questions: readonly BudgetQuestion[],
  queryMsMax: number,
): Promise<{ active: string | null; opened: Opened[] | null }> {
  const session = db.client.startSession({ snapshot: true });
  let users = questions.length;
  const release = async () => {
    users -= 1;
    if (users === 0) await session.endSession();
  };
  try {
    const reading = openReading(db, generation, session, queryMsMax);
    const { active, found } = await within(queryMsMax, findBudgets(reading, questions));
    if (active === generation) {
      return { active, opened: found.map(reached => ({ reading, reached, release })) };
    }
    await session.endSession();
    return { active, opened: null };
  } catch (error) {
    await session.endSession();
    throw error;
  }
}
