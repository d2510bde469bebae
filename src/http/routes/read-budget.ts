// Reads a resource of one budget in one snapshot: checks reach and position, compares the ETag, reads the documents.
import type { ReachedBudget } from '../../store/reading/queries/reach.ts';
import { ROOMY_BYTES } from '../../store/reading/queries/room.ts';
import { inReach } from '../../store/reading/reach-together.ts';
import { ApiError, unavailable } from '../api-error.ts';
import type { ContentCoding } from '../content-coding.ts';
import { makeEtag, matchesAny, matchesEtag } from '../etag.ts';
import type { CompressedPage } from '../kept-pages.ts';
import { asPage, type ListPage } from '../list-page.ts';
import type { BudgetQuery, BudgetReading, BudgetRoute, ReadModel } from './route.ts';

/** Longest time of one query in the database; beyond it the client gets 503. */
export const QUERY_MS_MAX = 5000;

/** A request for a resource of a budget. */
export interface BudgetRequest<Query extends BudgetQuery> {
  readonly route: BudgetRoute<Query>;
  readonly query: Query;
  readonly owner: string;
  /** Ids of the budgets that the token is limited to; null for every budget of its owner. */
  readonly allowed: readonly string[] | null;
  readonly ifNoneMatch: string;
  /** Aborted when the client has gone away. */
  readonly abandoned: AbortSignal;
  readonly wait: PositionWait | null;
  /** Path and query, the same for every user; together with the ETag they name a kept body. */
  readonly name: string;
  /** The compression that the client accepts, null for none. */
  readonly coding: ContentCoding | null;
  /** The client prefers CSV, and the route has it. */
  readonly asCsv: boolean;
}

export interface PositionWait {
  readonly sequence: number;
  /** The longest time to wait. */
  readonly ms: number;
}

/** What a request does besides reading. */
export interface RequestEffects {
  /** Returns the date in UTC; called when the answer is made, because a wait for a position may pass midnight. */
  readonly today: () => string;
  /** Called when a wait begins, perhaps again; throws if too many requests wait. */
  readonly beginWait: () => void;
  /** Returns a signal that aborts when the token ends, with the reason. */
  readonly tokenEnded: () => AbortSignal;
  /**
   * Takes room for an answer, in bytes, and gives back what the request took before. Throws if there is none. The caller
   * calls the returned function when the answer is made, even if its client was refused meanwhile: the request gives the
   * room back once the answer has left this process.
   */
  readonly takeRoom: (bytes: number) => () => void;
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
export async function readBudget<Query extends BudgetQuery>(
  model: ReadModel,
  request: BudgetRequest<Query>,
  effects: Omit<RequestEffects, 'tokenEnded'>,
): Promise<BudgetAnswer> {
  const { wait, query, owner, abandoned } = request;
  let behind = null as Behind | null;
  let space = null as string | null;

  async function attempt(): Promise<BudgetAnswer | null> {
    const found = await model.turns.run(owner, abandoned, signal =>
      readOnce(model, { ...request, abandoned: signal }, effects),
    );
    if (found !== null && !('isHeld' in found)) return found;
    behind = found;
    space = found?.spaceId ?? space;
    if (wait !== null && wait.ms > 0) effects.beginWait();
    return null;
  }

  const answer =
    wait === null
      ? await attempt()
      : await model.watcher.waitFor(
          {
            subject: query.budget_id,
            sequence: wait.sequence,
            waitMs: wait.ms,
            signal: abandoned,
            owner,
            spaceId: () => space,
          },
          attempt,
        );
  if (answer !== null) return answer;
  if (behind?.isHeld) {
    throw unavailable('The budget stands before that position: an event could not be applied yet');
  }
  if (behind) throw unavailable('The budget has not reached that position yet');
  throw new ApiError('not_found');
}

/** A budget that has not reached the awaited position. */
interface Behind {
  readonly spaceId: string;
  readonly isHeld: boolean;
}

/** Returns null if the user reaches no such budget. */
async function readOnce<Query extends BudgetQuery>(
  model: ReadModel,
  request: BudgetRequest<Query>,
  { today, takeRoom }: Pick<RequestEffects, 'today' | 'takeRoom'>,
): Promise<BudgetAnswer | Behind | null> {
  const { owner, query, allowed, wait, abandoned: signal } = request;
  const options = { db: model.database, queryMsMax: QUERY_MS_MAX, signal };
  const found = await inReach(
    options,
    { owner, budgetId: query.budget_id },
    async (reading, reached) => {
      if (reached === null) return null;
      if (allowed !== null && !allowed.includes(reached.id)) {
        throw new ApiError('budget_not_allowed');
      }
      if (wait !== null && reached.sequence < wait.sequence) {
        return { spaceId: reached.budget.spaceId, isHeld: reached.held !== null };
      }
      return await answer(model, request, { reading, reached, takeRoom, today: today() });
    },
  );
  if (found === undefined) throw unavailable('No read model is built yet');
  return found;
}

type AnswerState = Pick<BudgetReading<BudgetQuery>, 'reading' | 'reached' | 'today'> &
  Pick<RequestEffects, 'takeRoom'>;

async function answer<Query extends BudgetQuery>(
  { contract, bodies, compressed, years }: ReadModel,
  request: BudgetRequest<Query>,
  state: AnswerState,
): Promise<BudgetAnswer> {
  const { route, query, coding, asCsv } = request;
  const { reading, reached, today } = state;
  const { id, sequence, set, held } = reached;
  const etag = makeEtag([
    contract,
    reading.generation,
    id,
    String(sequence),
    set,
    held?.since ?? '',
    ...(route.dependsOn?.(reached, today, query) ?? []),
    ...(asCsv ? ['csv'] : []),
  ]);
  const name = `${request.name} ${etag}`;
  const isKnown = matchesEtag(request.ifNoneMatch, etag);
  if (isKnown && !(route.mayRefuse && matchesAny(request.ifNoneMatch))) {
    await check(request, state, route.idsExist ?? route.exists);
    return { reached, etag, name, page: null };
  }
  // What is kept under this name has passed the checks: they depend on nothing but the query and the state.
  const kept = coding === null ? undefined : compressed.find({ name, coding });
  const read = async (): Promise<ListPage> => {
    await check(request, state, route.idsExist);
    return await withRoom(state, async takeRoom => {
      const body = await route.read({ ...state, query, years, asCsv, takeRoom });
      if (body === null) throw new ApiError('not_found');
      const page = asPage(body);
      takeRoom(Buffer.byteLength(page.body));
      return page;
    });
  };
  const page = kept ?? (await bodies.get(name, read));
  return { reached, etag, name, page: isKnown ? null : page };
}

/** Makes an answer with room for it and what it is made of. */
async function withRoom<T>(
  { takeRoom }: Pick<RequestEffects, 'takeRoom'>,
  make: (takeRoom: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  let made = null as (() => void) | null;
  let isOver = false;
  try {
    return await make(bytes => {
      // A query that outlives the reading of another one that failed: nobody would give the room back.
      if (isOver) throw new Error('Expected to take room before the reading ended');
      const isRoomy = bytes > ROOMY_BYTES;
      if (isRoomy || made !== null) made = takeRoom(isRoomy ? bytes : 0);
    });
  } finally {
    isOver = true;
    made?.();
  }
}

async function check<Query extends BudgetQuery>(
  { route, query }: BudgetRequest<Query>,
  { reading, reached }: Pick<BudgetReading<Query>, 'reading' | 'reached'>,
  exist: BudgetRoute<Query>['exists'],
): Promise<void> {
  if ((await exist?.(reading, reached, query)) === false) throw new ApiError('not_found');
  route.admit?.(reading, reached, query);
}
