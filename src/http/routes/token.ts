// What a token is: GET /token.
import type { Token } from '../../../schemas/generated/api.ts';
import type { TokenQuery } from '../../../schemas/generated/queries.ts';
import { tokenOf } from '../middleware/authenticate.ts';
import type { Endpoint } from './route.ts';

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
