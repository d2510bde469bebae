// Answers a resource of a budget: the reading, and the headers that tell its position.
import { tokenOf } from './middleware/authenticate.ts';
import type { Values } from './parameters.ts';
import { type BudgetRequest, type ReadModel, readBudget } from './read-budget.ts';
import type { Context, Middleware } from './request-state.ts';
import type { BudgetRoute } from './routes/route.ts';
import { send } from './send.ts';

export function answerBudget(route: BudgetRoute, model: ReadModel, clock: () => Date): Middleware {
  return async function answerBudget(ctx) {
    const { reached, etag, body } = await readBudget(model, toRequest(ctx, route, clock));
    ctx.set('X-Projection-Position', String(reached.sequence));
    if (reached.held !== null) ctx.set('X-Projection-Parked-Since', reached.held.since);
    send(ctx, etag, body);
  };
}

function toRequest(ctx: Context, route: BudgetRoute, clock: () => Date): BudgetRequest {
  const { owner, budgets: allowed } = tokenOf(ctx);
  const { values } = ctx.state;
  if (values === undefined) throw new Error('Expected checkParameters to have run before');
  return {
    owner,
    allowed,
    budgetId: values.budget_id as string,
    ifNoneMatch: ctx.get('If-None-Match'),
    wait: toWait(values),
    name: `${ctx.state.path}?${ctx.state.query}`,
    idsExist: async (reading, reached) =>
      (await route.idsExist?.(reading, reached, values)) ?? true,
    today: () => clock().toISOString().slice(0, 10),
    dependsOn: (reached, today) => route.dependsOn?.(reached, today) ?? [],
    read: (reading, reached, today) => route.read(reading, reached, values, today),
  };
}

function toWait(values: Values): BudgetRequest['wait'] {
  const sequence = values['X-Projection-Wait-For'];
  if (typeof sequence !== 'number') return null;
  return { sequence, ms: Number(values['X-Projection-Wait-Seconds']) * 1000 };
}
