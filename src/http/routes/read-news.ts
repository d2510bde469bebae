// Reads a resource of a budget once it tells the client something new: the wait of /changes.
import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../../store/database-errors.ts';
import {
  type BudgetAnswer,
  type BudgetRequest,
  type RequestEffects,
  readBudget,
} from './read-budget.ts';
import type { BudgetQuery, NewsWait, ReadModel } from './route.ts';

/** Between attempts while the database is away, which a wait survives. */
const RETRY_MS = 500;

/**
 * Reads the answer to a request; if its query waits for news, once there is some or the time is over.
 *
 * @throws ApiError like `readBudget`; never because the time is over
 */
export async function readWhenNew<Query extends BudgetQuery>(
  model: ReadModel,
  request: BudgetRequest<Query>,
  effects: RequestEffects,
): Promise<BudgetAnswer> {
  const { route, query, abandoned } = request;
  const first = await readBudget(model, request, effects);
  const news = route.news?.(query) ?? null;
  if (news === null || isNews(first, news)) return first;
  effects.beginWait();
  // A wait outlasts the check of its token, so it ends when the token does.
  const signal = AbortSignal.any([abandoned, effects.tokenEnded()]);
  const patience = { signal, endsAtMs: performance.now() + news.ms };
  const read = () =>
    retried(() => readBudget(model, { ...request, wait: null }, effects), patience);
  // Any event of the budget wakes the wait: at least it changes the position.
  const change = { subject: query.budget_id, sequence: 1, waitMs: news.ms, signal };
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

async function retried(
  read: () => Promise<BudgetAnswer>,
  { signal, endsAtMs }: Patience,
): Promise<BudgetAnswer> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted || performance.now() > endsAtMs) throw error;
      await sleep(RETRY_MS);
    }
  }
}
