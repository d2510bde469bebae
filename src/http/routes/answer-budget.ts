// The endpoint of a budget's resource: reads it, once there is something new if the client waits for that (/changes), and
// sends it with headers that show the budget's position.
import { setTimeout as sleep } from 'node:timers/promises';
import { utcDate } from '../../process/calendar.ts';
import { isUnavailable } from '../../store/database-errors.ts';
import { ApiError } from '../api-error.ts';
import { codingOf, HEADER_CHARACTERS_MAX } from '../content-coding.ts';
import { send } from '../etag.ts';
import type { CompressedPage, KeptCompressed } from '../kept-pages.ts';
import { type ListPage, nextLink } from '../list-page.ts';
import { invalidToken, tokenOf } from '../middleware/authenticate.ts';
import { moveTo, takeRoom } from '../middleware/bound-in-flight.ts';
import { abandonedSignal, onceClosed } from '../request-end.ts';
import type { Context } from '../request-state.ts';
import {
  type BudgetAnswer,
  type BudgetRequest,
  type PositionWait,
  type RequestEffects,
  readBudget,
} from './read-budget.ts';
import type { BudgetQuery, BudgetRoute, Endpoint, NewsWait, ReadModel, Sources } from './route.ts';

/** Returns the endpoint of a resource that belongs to a budget. */
export function ofBudget<Query extends BudgetQuery>(route: BudgetRoute<Query>): Endpoint<Query> {
  return {
    ...(route.rules && { rules: route.rules }),
    async answer(ctx, query, sources) {
      const { model, origin } = sources;
      const request = toRequest(ctx, route, query);
      const answer = await readWhenNew(model, request, effectsOf(ctx, sources));
      const { reached, etag, name, page } = answer;
      ctx.set('X-Projection-Position', String(reached.sequence));
      if (reached.held !== null) ctx.set('X-Projection-Parked-Since', reached.held.since);
      const sent = page && (await compressedFor(ctx, model.compressed, { name, page }));
      send(ctx, etag, sent?.body ?? null);
      if (sent === null) return;
      if (sent.coding !== null) ctx.set('Content-Encoding', sent.coding);
      if (request.asCsv) ctx.type = CSV_TYPE;
      if (sent.next !== null) ctx.append('Link', nextLink(ctx.state, origin, sent.next));
    },
  };
}

/**
 * Reads the answer to a request; if its query waits for news, once there is some or the time is over.
 *
 * @throws ApiError like `readBudget`; never because the time is over
 */
async function readWhenNew<Query extends BudgetQuery>(
  model: ReadModel,
  request: BudgetRequest<Query>,
  effects: RequestEffects,
): Promise<BudgetAnswer> {
  const { route, query, owner, abandoned } = request;
  const first = await readBudget(model, request, effects);
  const news = route.news?.(query) ?? null;
  if (news === null || isNews(first, news)) return first;
  effects.beginWait();
  // A wait outlasts the check of its token, so it ends when the token does.
  const signal = AbortSignal.any([abandoned, effects.tokenEnded()]);
  const patience = { signal, endsAtMs: performance.now() + news.ms };
  const readOnce = async () => {
    // The database may have been away, and have the news before the next check of the token.
    await model.checks.refresh();
    const answer = await readBudget(model, { ...request, wait: null }, effects);
    signal.throwIfAborted();
    return answer;
  };
  const read = () => retried(readOnce, patience);
  // Any event of the budget wakes the wait: at least it changes the position.
  const change = {
    ...{ subject: query.budget_id, sequence: 1, waitMs: news.ms, signal, owner },
    spaceId: () => first.reached.budget.spaceId,
    hasRead: true,
  };
  const found = await model.watcher.waitFor(change, async () => {
    const answer = await read();
    return isNews(answer, news) ? answer : null;
  });
  return found ?? (await read());
}

/** Between attempts while the database is away, which a wait survives. */
const RETRY_MS = 500;
/** The same while others take the turns or the room: an attempt would take more of them. */
const CROWDED_MS = 3000;

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
      const pauseMs = isUnavailable(error) ? RETRY_MS : isCrowded(error) ? CROWDED_MS : null;
      if (pauseMs === null || signal.aborted || performance.now() > endsAtMs) throw error;
      await sleep(pauseMs);
    }
  }
}

function isCrowded(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unavailable';
}

/** Returns the page compressed as the client accepts it, if it is large enough for that. */
async function compressedFor(
  { state }: Context,
  compressed: KeptCompressed,
  { name, page }: { readonly name: string; readonly page: ListPage | CompressedPage },
): Promise<CompressedPage | (ListPage & { readonly coding: null })> {
  if ('coding' in page) return page;
  const coding = state.accepted ? codingOf(state.accepted, page.body) : null;
  return coding === null ? { ...page, coding } : await compressed.compress({ name, coding }, page);
}

function toRequest<Query extends BudgetQuery>(
  ctx: Context,
  route: BudgetRoute<Query>,
  query: Query,
): BudgetRequest<Query> {
  const { owner, budgets: allowed } = tokenOf(ctx);
  return {
    route,
    query,
    owner,
    allowed,
    ifNoneMatch: ctx.get('If-None-Match'),
    abandoned: abandonedSignal(ctx),
    wait: toWait(query),
    name: `${ctx.state.path}?${ctx.state.query}`,
    coding: ctx.state.accepted?.coding ?? null,
    asCsv: route.hasCsv === true && prefersCsv(ctx),
  };
}

function toWait({
  'X-Projection-Wait-For': sequence,
  'X-Projection-Wait-Seconds': seconds,
}: BudgetQuery): PositionWait | null {
  return sequence === undefined ? null : { sequence, ms: seconds * 1000 };
}

function effectsOf(ctx: Context, { model, clock }: Sources): RequestEffects {
  const response = ctx.state.toolResponse ?? ctx.res;
  let leaveRoom = () => {};
  return {
    today: () => utcDate(clock()),
    beginWait: moveTo(ctx, model.waits, 'Too many requests wait for a position'),
    tokenEnded() {
      const ended = new AbortController();
      const end = () => ended.abort(invalidToken());
      onceClosed(response, model.checks.watch(tokenOf(ctx), end));
      return ended.signal;
    },
    takeRoom(bytes) {
      // A reading that is repeated has dropped what it made.
      leaveRoom();
      const leave = takeRoom(model.answers, bytes);
      leaveRoom = leave;
      return () => onceClosed(response, leave);
    },
  };
}

const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/**
 * Returns whether the header Accept prefers CSV (RFC 9110, section 12.5.1). Clients that accept neither, or send a very
 * long one, get JSON.
 */
function prefersCsv(ctx: Context): boolean {
  ctx.vary('Accept');
  if (ctx.get('Accept').length > HEADER_CHARACTERS_MAX) return false;
  return ctx.accepts(JSON_TYPE, CSV_TYPE) === CSV_TYPE;
}
