// Checks parameters as an endpoint does, for tests.
import { QUERY_SCHEMAS } from '../../schemas/generated/query-schemas.ts';
import { ApiError } from '../../src/http/api-error.ts';
import { createParameterCheck } from '../../src/http/parameters.ts';
import { transactions } from '../../src/http/routes/transactions.ts';

export type Name = keyof typeof QUERY_SCHEMAS;
export interface Sent {
  readonly path?: Record<string, string>;
  readonly headers?: Record<string, string>;
}

export function check(
  name: Name,
  query: string,
  { path = {}, headers = {} }: Sent = {},
): Readonly<Record<string, unknown>> {
  const rules = name === 'transactions' ? (transactions.rules ?? []) : [];
  const run = createParameterCheck(`schemas/api/queries/${name}.json`, QUERY_SCHEMAS[name], rules);
  return { ...run({ path, query, header: header => headers[header] }) };
}

/** `code param` of each problem, in order. */
export function problems(name: Name, query: string, sent: Sent = {}): string[] {
  try {
    check(name, query, sent);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.details.map(({ code, param }) => `${code} ${param}`);
  }
}
