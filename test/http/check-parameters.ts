// Checks parameters as an endpoint does, for tests.
import { QUERY_SCHEMAS } from '../../schemas/generated/query-schemas.ts';
import { ApiError } from '../../src/http/api-error.ts';
import { createParameterCheck, type Rule } from '../../src/http/parameters.ts';
import {
  balances,
  categoryMonths,
  monthList,
  sums,
  transactions,
} from '../../src/http/routes/resources.ts';

export type Name = keyof typeof QUERY_SCHEMAS;
export interface Sent {
  readonly path?: Record<string, string>;
  readonly headers?: Record<string, string>;
}

/** The date of rules that depend on it. */
const TODAY = '2026-03-14';

const RULES: { readonly [name in Name]?: readonly Rule<object>[] | undefined } = {
  transactions: transactions.rules,
  'month-list': monthList.rules,
  'category-months': categoryMonths.rules,
  balances: balances.rules,
  sums: sums.rules,
};

export function check(
  name: Name,
  query: string,
  { path = {}, headers = {} }: Sent = {},
): Readonly<Record<string, unknown>> {
  const rules = RULES[name] ?? [];
  const run = createParameterCheck(`schemas/api/queries/${name}.json`, QUERY_SCHEMAS[name], rules);
  return { ...run({ path, query, header: header => headers[header], today: TODAY }) };
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
