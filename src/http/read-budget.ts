// Reads a resource of one budget: reach, position, what the client has already, documents, in one snapshot.
import { within } from '../access/within.ts';
import type { PositionWatcher } from '../read-store/position-watcher.ts';
import { findBudget, type ReachedBudget } from '../read-store/queries/reach.ts';
import { activeGeneration } from '../read-store/registry.ts';
import { inSnapshot, type ReadDatabase, type Reading } from '../read-store/snapshot.ts';
import { ApiError, unavailable } from './api-error.ts';
import { makeEtag, matchesEtag } from './etag.ts';

/** Bounds one query in the database. */
export const QUERY_MS_MAX = 5000;
/** Bounds one reading as a whole, also where the database does not answer at all. */
export const READING_MS_MAX = 8000;

export interface ReadModel {
  readonly database: ReadDatabase;
  readonly watcher: PositionWatcher;
  /** Changes when the form of answers does, so that no client keeps an old one. */
  readonly contract: string;
}

/** What is asked, of a resource that knows its own query. */
export interface BudgetRequest {
  readonly owner: string;
  readonly budgetId: string;
  /** Ids that the token is narrowed to; null for all. */
  readonly allowed: readonly string[] | null;
  readonly ifNoneMatch: string;
  /** Begun earlier: the generation that was active then, null where there was none. */
  readonly generation: Promise<string | null>;
  /** Position to wait for, and how long. */
  readonly wait: { readonly sequence: number; readonly ms: number } | null;
  /** Whether ids that filter are there. */
  readonly idsExist: (reading: Reading, reached: ReachedBudget) => Promise<boolean>;
  /** What the answer depends on besides the budget's state. */
  readonly dependsOn: (reached: ReachedBudget) => readonly string[];
  readonly read: (reading: Reading, reached: ReachedBudget) => Promise<string | Buffer>;
}

export interface BudgetAnswer {
  readonly reached: ReachedBudget;
  readonly etag: string;
  /** Null where the client has it already. */
  readonly body: string | Buffer | null;
}

/** Throws an ApiError where there is no answer. */
export async function readBudget(model: ReadModel, request: BudgetRequest): Promise<BudgetAnswer> {
  let isFirst = true;
  let isBehind = false;

  async function look(): Promise<BudgetAnswer | null> {
    const generation = await (isFirst ? request.generation : activeGeneration(model.database));
    isFirst = false;
    let found = await lookIn(model, request, generation);
    if (found === null) {
      // A switch may have come in between: the budget can be newer than the old generation.
      const newer = await activeGeneration(model.database);
      if (newer !== generation) found = await lookIn(model, request, newer);
    }
    isBehind = found === 'behind';
    return found === 'behind' ? null : found;
  }

  const boundedLook = () => within(READING_MS_MAX, look());
  const { wait, budgetId: subject } = request;
  const answer =
    wait === null
      ? await boundedLook()
      : await model.watcher.waitFor(
          { subject, sequence: wait.sequence, waitMs: wait.ms },
          boundedLook,
        );
  if (answer !== null) return answer;
  if (isBehind) throw unavailable('The budget has not reached that position yet');
  throw new ApiError('not_found');
}

/** Null: no such budget within the user's reach. */
async function lookIn(
  model: ReadModel,
  request: BudgetRequest,
  generation: string | null,
): Promise<BudgetAnswer | 'behind' | null> {
  if (generation === null) throw unavailable('No read model is built yet');
  return await inSnapshot(model.database, generation, QUERY_MS_MAX, async reading => {
    const reached = await findBudget(reading, request.owner, request.budgetId);
    if (reached === null) return null;
    if (request.allowed !== null && !request.allowed.includes(reached.id)) {
      throw new ApiError('budget_not_allowed');
    }
    if (request.wait !== null && reached.sequence < request.wait.sequence) return 'behind';
    return await answer(model, request, reading, reached);
  });
}

async function answer(
  { contract }: ReadModel,
  request: BudgetRequest,
  reading: Reading,
  reached: ReachedBudget,
): Promise<BudgetAnswer> {
  if (!(await request.idsExist(reading, reached))) throw new ApiError('not_found');
  const { id, sequence, set, held } = reached;
  const etag = makeEtag([
    contract,
    reading.generation,
    id,
    String(sequence),
    set,
    held?.since ?? '',
    ...request.dependsOn(reached),
  ]);
  const hasIt = matchesEtag(request.ifNoneMatch, etag);
  return { reached, etag, body: hasIt ? null : await request.read(reading, reached) };
}
