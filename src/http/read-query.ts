// Reads the parameters of a request, and refuses bad ones.
import { createParameterCheck, type QuerySchema, type Rule } from './parameters.ts';
import type { Context } from './request-state.ts';

/**
 * Returns a function that returns the checked parameters of a request, or throws an ApiError of status 400. `name` is
 * that of a schema in schemas/api/queries, `today` the date in UTC.
 */
export function createQueryReader<Query extends object>(
  name: string,
  schema: QuerySchema,
  rules: readonly Rule<Query>[] = [],
): (ctx: Context, today: string) => Query {
  const check = createParameterCheck(`schemas/api/queries/${name}.json`, schema, rules);
  const inPath = Object.entries(schema.properties).flatMap(([property, { 'x-in': place }]) =>
    place === 'path' ? property : [],
  );
  return function readQuery(ctx, today) {
    // The undecoded captures: the router would repair or refuse malformed encodings.
    const captures = (ctx as { captures?: readonly string[] }).captures ?? [];
    return check({
      path: Object.fromEntries(inPath.map((property, index) => [property, captures[index] ?? ''])),
      query: ctx.state.query,
      header: header => ctx.req.headers[header.toLowerCase()]?.toString(),
      today,
    });
  };
}
