// Reads a resource of a budget once it tells the client something new: the wait of /changes.
import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../../store/database-errors.ts';
import type { ReachedBudget } from '../../store/reading/queries/reach.ts';
import {
  type BudgetAnswer,
  type BudgetRequest,
  type ReadModel,
  readBudget,
} from './read-budget.ts';

/** A wait for an answer that tells the client something new. */
export interface NewsWait {
  /** The longest time to wait; then the answer is whatever there is. */
  readonly ms: number;
  /** Returns whether an answer from this state tells something new. */
  readonly isNew: (reached: ReachedBudget) => boolean;
  /** Called when the wait begins, perhaps again; throws if too many requests wait. */
  readonly begin: () => void;
  /** Ends the wait when it aborts, with its reason. */
  readonly ended: AbortSignal;
}

/** Between attempts while the database is away, which a wait survives. */
const RETRY_MS = 500;

/**
 * Reads the answer to a request; its position is awaited first, if it names one.
 *
 * @throws ApiError like `readBudget`; never because the time is over
 */
export async function readNews(
  model: ReadModel,
  request: BudgetRequest,
  news: NewsWait,
): Promise<BudgetAnswer> {
  const first = await readBudget(model, request);
  if (isNews(first, news)) return first;
  news.begin();
  const { budgetId: subject, abandoned } = request;
  const signal = AbortSignal.any([abandoned, news.ended]);
  const endsAtMs = performance.now() + news.ms;
  const read = () => readAgain(model, { ...request, wait: null }, { signal, endsAtMs });
  // Any event of the budget wakes the wait: at least it changes the position.
  const change = { subject, sequence: 1, waitMs: news.ms, signal };
  const found = await model.watcher.waitFor(change, async () => {
    const answer = await read();
    return isNews(answer, news) ? answer : null;
  });
  return found ?? (await read());
}

/** An answer that the client already has is no news, whatever it tells. */
function isNews({ reached, page }: BudgetAnswer, news: NewsWait): boolean {
  return page !== null && news.isNew(reached);
}

interface Patience {
  readonly signal: AbortSignal;
  /** By `performance.now`. */
  readonly endsAtMs: number;
}

async function readAgain(
  model: ReadModel,
  request: BudgetRequest,
  { signal, endsAtMs }: Patience,
): Promise<BudgetAnswer> {
  for (;;) {
    try {
      return await readBudget(model, request);
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted || performance.now() > endsAtMs) throw error;
      await sleep(RETRY_MS);
    }
  }
}
