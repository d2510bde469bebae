// Reads a resource of one budget in one snapshot: checks reach and position, compares the ETag, reads the documents.

import type { TokenChecks } from '../../access/token-checks.ts';
import { withDeadline } from '../../store/database-errors.ts';
import type { PositionWatcher } from '../../store/reading/position-watcher.ts';
import type { ReachedBudget } from '../../store/reading/queries/reach.ts';
import { inReach } from '../../store/reading/reach-together.ts';
import type { ReadDatabase, Reading } from '../../store/snapshot.ts';
import { ApiError, unavailable } from '../api-error.ts';
import type { Places } from '../bounds.ts';
import type { ContentCoding } from '../content-coding.ts';
import { makeEtag, matchesEtag } from '../etag.ts';
import type { KeptBodies } from '../kept-bodies.ts';
import type { CompressedPage, KeptCompressed } from '../kept-compressed.ts';
import type { KeptYears } from '../kept-years.ts';
import { asPage, type Body, type ListPage } from '../list-page.ts';
import type { Streams } from '../streams/streams.ts';

/** Longest time of one query in the database; beyond it the client gets 503. */
export const QUERY_MS_MAX = 5000;
/** Longest time of a whole reading, even if the database never answers; beyond it the client gets 503. */
export const READING_MS_MAX = 8000;

export interface ReadModel {
  readonly database: ReadDatabase;
  readonly watcher: PositionWatcher;
  /** The places of requests that wait for a position or a change. */
  readonly waits: Places;
  /** Ends streams and waits whose token is no longer active. */
  readonly checks: Pick<TokenChecks, 'watch'>;
  readonly streams: Streams;
  /** Changes with the API's description, so that clients drop answers in an older form. */
  readonly contract: string;
  readonly bodies: KeptBodies;
  readonly compressed: KeptCompressed;
  readonly years: KeptYears;
}

/** A request for a resource of a budget; the functions know the resource's own query. */
export interface BudgetRequest {
  readonly owner: string;
  readonly budgetId: string;
  /** Ids of the budgets that the token is limited to; null for every budget of its owner. */
  readonly allowed: readonly string[] | null;
  readonly ifNoneMatch: string;
  /** Aborted when the client has gone away. */
  readonly abandoned: AbortSignal;
  readonly wait: PositionWait | null;
  /** Returns whether the ids that the query names exist, as far as `read` does not find out, if it follows. */
  readonly idsExist: (
    reading: Reading,
    reached: ReachedBudget,
    isReadNext: boolean,
  ) => Promise<boolean>;
  /** Throws an ApiError if the budget as it is cannot answer the query. */
  readonly admit: (reading: Reading, reached: ReachedBudget) => void;
  /** Path and query, the same for every user; together with the ETag they name a kept body. */
  readonly name: string;
  /** The compression that the client accepts, null for none. */
  readonly coding: ContentCoding | null;
  /** Returns the date in UTC; called when the answer is made, because a wait for a position may pass midnight. */
  readonly today: () => string;
  /** Returns further parts of the ETag, on which the answer depends besides the budget's state. */
  readonly dependsOn: (reached: ReachedBudget, today: string) => readonly string[];
  /** Returns null if what the query names by its id does not exist. */
  readonly read: (
    reading: Reading,
    reached: ReachedBudget,
    today: string,
  ) => Promise<Body | ListPage | null>;
}

export interface PositionWait {
  readonly sequence: number;
  /** The longest time to wait. */
  readonly ms: number;
  /** Called when the wait begins; throws if too many requests wait. */
  readonly begin: () => void;
}

export interface BudgetAnswer {
  readonly reached: ReachedBudget;
  readonly etag: string;
  /** The name under which bodies of this answer are kept. */
  readonly name: string;
  /** Compressed already if it was kept so; null if the client already has it. */
  readonly page: ListPage | CompressedPage | null;
}

/**
 * Reads the answer to a request, and waits for its position if it names one.
 *
 * @throws ApiError `not_found` or `budget_not_allowed`; `unavailable` if no read model is built or the wait times out
 */
export async function readBudget(model: ReadModel, request: BudgetRequest): Promise<BudgetAnswer> {
  const { wait, budgetId: subject, abandoned: signal } = request;
  let isBehind = false;

  async function attempt(): Promise<BudgetAnswer | null> {
    const found = await withDeadline(READING_MS_MAX, readOnce(model, request));
    isBehind = found === 'behind';
    if (found !== null && found !== 'behind') return found;
    if (wait !== null && wait.ms > 0) wait.begin();
    return null;
  }

  const answer =
    wait === null
      ? await attempt()
      : await model.watcher.waitFor(
          { subject, sequence: wait.sequence, waitMs: wait.ms, signal },
          attempt,
        );
  if (answer !== null) return answer;
  if (isBehind) throw unavailable('The budget has not reached that position yet');
  throw new ApiError('not_found');
}

/** Returns null if the user reaches no such budget, `behind` if it has not reached the awaited position. */
async function readOnce(
  model: ReadModel,
  request: BudgetRequest,
): Promise<BudgetAnswer | 'behind' | null> {
  const { owner, budgetId, allowed, wait, abandoned: signal } = request;
  const options = { db: model.database, queryMsMax: QUERY_MS_MAX, signal };
  const found = await inReach(options, { owner, budgetId }, async (reading, reached) => {
    if (reached === null) return null;
    if (allowed !== null && !allowed.includes(reached.id)) {
      throw new ApiError('budget_not_allowed');
    }
    if (wait !== null && reached.sequence < wait.sequence) return 'behind';
    return await answer(model, request, { reading, reached });
  });
  if (found === undefined) throw unavailable('No read model is built yet');
  return found;
}

async function answer(
  { contract, bodies, compressed }: ReadModel,
  request: BudgetRequest,
  { reading, reached }: { readonly reading: Reading; readonly reached: ReachedBudget },
): Promise<BudgetAnswer> {
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
  const name = `${request.name} ${etag}`;
  const check = async (isReadNext: boolean): Promise<void> => {
    if (!(await request.idsExist(reading, reached, isReadNext))) throw new ApiError('not_found');
    request.admit(reading, reached);
  };
  if (matchesEtag(request.ifNoneMatch, etag)) {
    await check(false);
    return { reached, etag, name, page: null };
  }
  // What is kept under this name has passed the checks: they depend on nothing but the query and the state.
  const { coding } = request;
  const kept = coding === null ? undefined : compressed.find({ name, coding });
  const read = async (): Promise<ListPage> => {
    await check(true);
    const body = await request.read(reading, reached, today);
    if (body === null) throw new ApiError('not_found');
    return asPage(body);
  };
  return { reached, etag, name, page: kept ?? (await bodies.get(name, read)) };
}
