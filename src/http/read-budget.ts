// Reads a resource of one budget: reach, position, what the client has already, documents, in one snapshot.
import { within } from '../access/within.ts';
import type { PositionWatcher } from '../read-store/position-watcher.ts';
import type { ReachedBudget } from '../read-store/queries/reach.ts';
import { inReach } from '../read-store/reach-together.ts';
import type { ReadDatabase, Reading } from '../read-store/snapshot.ts';
import { ApiError, unavailable } from './api-error.ts';
import { makeEtag, matchesEtag } from './etag.ts';
import type { KeptBodies } from './kept-bodies.ts';

/** Bounds one query in the database. */
export const QUERY_MS_MAX = 5000;
/** Bounds one reading as a whole, also where the database does not answer at all. */
export const READING_MS_MAX = 8000;

export interface ReadModel {
  readonly database: ReadDatabase;
  readonly watcher: PositionWatcher;
  /** Changes when the form of answers does, so that no client keeps an old one. */
  readonly contract: string;
  readonly bodies: KeptBodies;
}

/** What is asked, of a resource that knows its own query. */
export interface BudgetRequest {
  readonly owner: string;
  readonly budgetId: string;
  /** Ids that the token is narrowed to; null for all. */
  readonly allowed: readonly string[] | null;
  readonly ifNoneMatch: string;
  /** Position to wait for, and how long. */
  readonly wait: { readonly sequence: number; readonly ms: number } | null;
  /** Whether ids that filter are there. */
  readonly idsExist: (reading: Reading, reached: ReachedBudget) => Promise<boolean>;
  /** What is asked, whoever asks. */
  readonly name: string;
  /** The date in UTC, asked when the answer is made: a wait for a position may go on past midnight. */
  readonly today: () => string;
  /** What the answer depends on besides the budget's state. */
  readonly dependsOn: (reached: ReachedBudget, today: string) => readonly string[];
  readonly read: (
    reading: Reading,
    reached: ReachedBudget,
    today: string,
  ) => Promise<string | Buffer>;
}

export interface BudgetAnswer {
  readonly reached: ReachedBudget;
  readonly etag: string;
  /** Null where the client has it already. */
  readonly body: string | Buffer | null;
}

/** Throws an ApiError where there is no answer. */
export async function readBudget(model: ReadModel, request: BudgetRequest): Promise<BudgetAnswer> {
  let isBehind = false;

  async function look(): Promise<BudgetAnswer | null> {
    const found = await within(READING_MS_MAX, lookOnce(model, request));
    isBehind = found === 'behind';
    return found === 'behind' ? null : found;
  }

  const { wait, budgetId: subject } = request;
  const answer =
    wait === null
      ? await look()
      : await model.watcher.waitFor({ subject, sequence: wait.sequence, waitMs: wait.ms }, look);
  if (answer !== null) return answer;
  if (isBehind) throw unavailable('The budget has not reached that position yet');
  throw new ApiError('not_found');
}

/** Null: no such budget within the user's reach. */
async function lookOnce(
  model: ReadModel,
  request: BudgetRequest,
): Promise<BudgetAnswer | 'behind' | null> {
  const { owner, budgetId, allowed, wait } = request;
  const found = await inReach(
    model.database,
    { owner, budgetId },
    QUERY_MS_MAX,
    async (reading, reached) => {
      if (reached === null) return null;
      if (allowed !== null && !allowed.includes(reached.id)) {
        throw new ApiError('budget_not_allowed');
      }
      if (wait !== null && reached.sequence < wait.sequence) return 'behind';
      return await answer(model, request, reading, reached);
    },
  );
  if (found === undefined) throw unavailable('No read model is built yet');
  return found;
}

async function answer(
  { contract, bodies }: ReadModel,
  request: BudgetRequest,
  reading: Reading,
  reached: ReachedBudget,
): Promise<BudgetAnswer> {
  if (!(await request.idsExist(reading, reached))) throw new ApiError('not_found');
  const { id, sequence, set, held } = reached;
  const today = request.today();
  const etag = makeEtag([
    contract,
    reading.generation,
    id,
    String(sequence),
    set,
    held?.since ?? '',
    ...request.dependsOn(reached, today),
  ]);
  const hasIt = matchesEtag(request.ifNoneMatch, etag);
  if (hasIt) return { reached, etag, body: null };
  const name = `${request.name} ${etag}`;
  const body = await bodies.get(name, () => request.read(reading, reached, today));
  return { reached, etag, body };
}
