// The endpoint of a budget's resource: reads it, and sends it with headers that show the budget's position.
import { utcDate } from '../../process/calendar.ts';
import { codingOf } from '../content-coding.ts';
import { send } from '../etag.ts';
import type { CompressedPage, KeptCompressed } from '../kept-compressed.ts';
import { type ListPage, nextLink } from '../list-page.ts';
import { invalidToken, tokenOf } from '../middleware/authenticate.ts';
import { moveToWaits } from '../middleware/bound-in-flight.ts';
import { abandonedSignal, onceClosed } from '../request-end.ts';
import type { Context } from '../request-state.ts';
import {
  type BudgetRequest,
  type PositionWait,
  type ReadModel,
  readBudget,
} from './read-budget.ts';
import { type NewsWait, readNews } from './read-news.ts';
import type { BudgetQuery, BudgetRoute, Endpoint } from './route.ts';

/** Returns the endpoint of a resource that belongs to a budget. */
export function ofBudget<Query extends BudgetQuery>(route: BudgetRoute<Query>): Endpoint<Query> {
  return {
    ...(route.rules && { rules: route.rules }),
    async answer(ctx, query, { model, clock, origin }) {
      const { news, ...request } = toRequest(ctx, route, { query, model });
      const asked = { ...request, today: () => utcDate(clock()) };
      const { reached, etag, name, page } = await (news === null
        ? readBudget(model, asked)
        : readNews(model, asked, news));
      ctx.set('X-Projection-Position', String(reached.sequence));
      if (reached.held !== null) ctx.set('X-Projection-Parked-Since', reached.held.since);
      const sent = page && (await compressedFor(ctx, model.compressed, { name, page }));
      send(ctx, etag, sent?.body ?? null);
      if (sent === null) return;
      if (sent.coding !== null) ctx.set('Content-Encoding', sent.coding);
      if (asked.asCsv) ctx.type = CSV_TYPE;
      if (sent.next !== null) ctx.append('Link', nextLink(ctx.state, origin, sent.next));
    },
  };
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
  { query, model: { years, waits, checks } }: { readonly query: Query; readonly model: ReadModel },
): Omit<BudgetRequest, 'today'> & { readonly asCsv: boolean; readonly news: NewsWait | null } {
  const { owner, budgets: allowed } = tokenOf(ctx);
  const asCsv = route.hasCsv === true && prefersCsv(ctx);
  const move = moveToWaits(ctx, waits);
  return {
    owner,
    allowed,
    budgetId: query.budget_id,
    ifNoneMatch: ctx.get('If-None-Match'),
    abandoned: abandonedSignal(ctx),
    wait: toWait(query, move),
    news: toNews(ctx, route.news?.(query) ?? null, { checks, move }),
    name: `${ctx.state.path}?${ctx.state.query}`,
    coding: ctx.state.accepted?.coding ?? null,
    async idsExist(reading, reached, isReadNext) {
      const exist = route.idsExist ?? (isReadNext ? undefined : route.exists);
      return (await exist?.(reading, reached, query)) ?? true;
    },
    admit: (reading, reached) => route.admit?.(reading, reached, query),
    dependsOn: (reached, today) => [
      ...(route.dependsOn?.(reached, today, query) ?? []),
      ...(asCsv ? ['csv'] : []),
    ],
    read: (reading, reached, today) => route.read({ reading, reached, query, today, years, asCsv }),
    asCsv,
  };
}

function toWait(
  { 'X-Projection-Wait-For': sequence, 'X-Projection-Wait-Seconds': seconds }: BudgetQuery,
  begin: () => void,
): PositionWait | null {
  return sequence === undefined ? null : { sequence, ms: seconds * 1000, begin };
}

interface NewsSources extends Pick<ReadModel, 'checks'> {
  /** Moves the request to the places of waits. */
  readonly move: () => void;
}

/** A wait outlasts the check of its token, so it ends when the token does. */
function toNews(
  ctx: Context,
  news: Pick<NewsWait, 'ms' | 'isNew'> | null,
  { checks, move }: NewsSources,
): NewsWait | null {
  if (news === null) return null;
  const ended = new AbortController();
  let isWatched = false;
  return {
    ...news,
    ended: ended.signal,
    begin() {
      move();
      if (isWatched) return;
      isWatched = true;
      onceClosed(
        ctx.res,
        checks.watch(tokenOf(ctx), () => ended.abort(invalidToken())),
      );
    },
  };
}

const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** Returns whether the header Accept prefers CSV (RFC 9110, section 12.5.1). Clients that accept neither get JSON. */
function prefersCsv(ctx: Context): boolean {
  ctx.vary('Accept');
  return ctx.accepts(JSON_TYPE, CSV_TYPE) === CSV_TYPE;
}
