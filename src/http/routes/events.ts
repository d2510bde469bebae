// GET /events: tells the positions of all budgets that the token reaches, for as long as the client listens.
import type { EventsQuery } from '../../../schemas/generated/queries.ts';
import { tokenOf } from '../middleware/authenticate.ts';
import type { Endpoint } from './route.ts';

export const events: Endpoint<EventsQuery> = {
  async answer(ctx, _query, { model }) {
    await model.streams.open(ctx, tokenOf(ctx));
  },
};
