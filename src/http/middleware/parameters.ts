// Refuses bad parameters, and hands on the checked values.
import { createParameterCheck, type QuerySchema, type Rule } from '../parameters.ts';
import type { Middleware } from '../request-state.ts';

/** `name` of a schema in schemas/api/queries. */
export function checkParameters(
  name: string,
  schema: QuerySchema,
  rules: readonly Rule[],
): Middleware {
  const check = createParameterCheck(`schemas/api/queries/${name}.json`, schema, rules);
  const inPath = Object.entries(schema.properties).flatMap(([property, { 'x-in': place }]) =>
    place === 'path' ? property : [],
  );
  return async function checkParameters(ctx, next) {
    // As they were sent: the router would mend or refuse what is badly encoded.
    const captures = (ctx as { captures?: readonly string[] }).captures ?? [];
    ctx.state.values = check({
      path: Object.fromEntries(inPath.map((property, index) => [property, captures[index] ?? ''])),
      query: ctx.state.query,
      header: header => ctx.req.headers[header.toLowerCase()]?.toString(),
    });
    await next();
  };
}
