// What a token reaches and what it is: GET /budgets and /token, which belong to no single budget.
import type { Token } from '../../../schemas/generated/api.ts';
import type { BudgetsQuery, TokenQuery } from '../../../schemas/generated/queries.ts';
import {
  budgetsVersion,
  serveBudgets,
  visibleBudgets,
} from '../../store/reading/queries/budgets.ts';
import { findSpacesOf } from '../../store/reading/queries/reach.ts';
import { ROOMY_BYTES } from '../../store/reading/queries/room.ts';
import { abandonable, inActive } from '../../store/snapshot.ts';
import { unavailable } from '../api-error.ts';
import { makeEtag, matchesEtag, send } from '../etag.ts';
import { tokenOf } from '../middleware/authenticate.ts';
import { takeRoom } from '../middleware/bound-in-flight.ts';
import { abandonedSignal, onceClosed } from '../request-end.ts';
import type { Context } from '../request-state.ts';
import { QUERY_MS_MAX } from './read-budget.ts';
import type { Endpoint, ReadModel } from './route.ts';

/** GET /budgets: the only list that belongs to no single budget. */
export const budgets: Endpoint<BudgetsQuery> = {
  async answer(ctx, _query, { model }) {
    const { owner, budgets: allowed } = tokenOf(ctx);
    const { generation, spaces } = await read(ctx, model);
    const visible = visibleBudgets(spaces, allowed);
    const version = budgetsVersion(spaces, visible);
    const etag = makeEtag([model.contract, generation, owner, JSON.stringify(allowed), ...version]);
    const hasIt = matchesEtag(ctx.get('If-None-Match'), etag);
    send(ctx, etag, hasIt ? null : withRoom(ctx, model, { budgets: serveBudgets(visible) }));
  },
};

/** Returns the text of an answer, which has room until it has left this process. */
function withRoom(ctx: Context, { answers }: ReadModel, answer: object): string {
  const body = JSON.stringify(answer);
  const bytes = Buffer.byteLength(body);
  if (bytes > ROOMY_BYTES) onceClosed(ctx.state.toolResponse ?? ctx.res, takeRoom(answers, bytes));
  return body;
}

/** Returns the ids of the budgets that the token of a request reaches. */
export async function reachedIds(ctx: Context, model: ReadModel): Promise<string[]> {
  const { spaces } = await read(ctx, model);
  return visibleBudgets(spaces, tokenOf(ctx).budgets).map(({ id }) => id);
}

async function read(ctx: Context, { database, turns }: ReadModel) {
  const { owner } = tokenOf(ctx);
  const options = { db: database, queryMsMax: QUERY_MS_MAX };
  const found = await turns.run(owner, abandonedSignal(ctx), signal =>
    inActive(options, async reading => ({
      generation: reading.generation,
      spaces: await findSpacesOf(abandonable(reading, signal), owner),
    })),
  );
  if (found === undefined) throw unavailable('No read model is built yet');
  return found;
}

/** GET /token: the only answer about the token itself. It reads nothing, because the token was just looked up. */
export const token: Endpoint<TokenQuery> = {
  async answer(ctx) {
    const { owner, name, last4, scopes, budgets, createdAt, expiresAt } = tokenOf(ctx);
    const body: Token = {
      userId: owner,
      name,
      lastFour: last4,
      scopes: [...scopes],
      budgets: budgets && [...budgets],
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    };
    // No ETag either: what must not be stored cannot be revalidated.
    ctx.set('Cache-Control', 'private, no-store');
    ctx.status = 200;
    ctx.type = 'json';
    ctx.body = JSON.stringify(body);
  },
};
