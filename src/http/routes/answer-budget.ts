// The endpoint of a budget's resource: reads it, and sends it with headers that show the budget's position.
import { utcDate } from '../../process/calendar.ts';
import { codingOf, HEADER_CHARACTERS_MAX } from '../content-coding.ts';
import { send } from '../etag.ts';
import type { CompressedPage, KeptCompressed } from '../kept-compressed.ts';
import { type ListPage, nextLink } from '../list-page.ts';
import { invalidToken, tokenOf } from '../middleware/authenticate.ts';
import { moveTo } from '../middleware/bound-in-flight.ts';
import { abandonedSignal, onceClosed } from '../request-end.ts';
import type { Context } from '../request-state.ts';
import type { BudgetRequest, PositionWait, RequestEffects } from './read-budget.ts';
import { readWhenNew } from './read-news.ts';
import type { BudgetQuery, BudgetRoute, Endpoint, Sources } from './route.ts';

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
  return {
    today: () => utcDate(clock()),
    beginWait: moveTo(ctx, model.waits, 'Too many requests wait for a position'),
    tokenEnded() {
      const ended = new AbortController();
      const end = () => ended.abort(invalidToken());
      onceClosed(ctx.res, model.checks.watch(tokenOf(ctx), end));
      return ended.signal;
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
