// What a token reaches and what it is: GET /budgets and /token, which belong to no single budget.
import type { Token } from '../../../schemas/generated/api.ts';
import type { BudgetsQuery, TokenQuery } from '../../../schemas/generated/queries.ts';
import { budgetsOf, budgetsVersion } from '../../store/reading/queries/budgets.ts';
import { findSpacesOf } from '../../store/reading/queries/reach.ts';
import { abandonable, inActive } from '../../store/snapshot.ts';
import { unavailable } from '../api-error.ts';
import { makeEtag, matchesEtag, send } from '../etag.ts';
import { tokenOf } from '../middleware/authenticate.ts';
import { abandonedSignal } from '../request-end.ts';
import type { Context } from '../request-state.ts';
import { QUERY_MS_MAX } from './read-budget.ts';
import type { Endpoint, ReadModel } from './route.ts';

/** GET /budgets: the only list that belongs to no single budget. */
export const budgets: Endpoint<BudgetsQuery> = {
  async answer(ctx, _query, { model }) {
    const { owner, budgets: allowed } = tokenOf(ctx);
    const { generation, spaces } = await read(ctx, model);
    const version = budgetsVersion(spaces, allowed);
    const etag = makeEtag([model.contract, generation, owner, JSON.stringify(allowed), ...version]);
    const hasIt = matchesEtag(ctx.get('If-None-Match'), etag);
    send(ctx, etag, hasIt ? null : JSON.stringify({ budgets: budgetsOf(spaces, allowed) }));
  },
};

/** Returns the ids of the budgets that the token of a request reaches. */
export async function reachedIds(ctx: Context, model: ReadModel): Promise<string[]> {
  const { spaces } = await read(ctx, model);
  return budgetsOf(spaces, tokenOf(ctx).budgets).map(({ id }) => id);
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
