// Reads the table of routes, and checks its form and the notice of its deprecations.
import type { Route } from '../../schemas/generated/api.ts';
import { isNoticeLongEnough, NOTICE_MONTHS_MIN } from '../../src/http/deprecation.ts';
import { createAjv, describeErrors } from '../../src/process/validation.ts';
import { readJson } from './schema-files.ts';

export function readRoutes(): Route[] {
  return checkRoutes(readJson('schemas/api/routes.json'));
}

export function checkRoutes(routes: unknown): Route[] {
  const isTable = createAjv()
    .addSchema(readJson('schemas/api/deprecation.json'), 'schemas/api/deprecation.json')
    .addSchema(readJson('schemas/api/route.json'), 'schemas/api/route.json')
    .compile<Route[]>({ type: 'array', items: { $ref: 'schemas/api/route.json' } });
  if (!isTable(routes)) throw new Error(describeErrors(isTable.errors, { root: 'routes' }));
  for (const { name, deprecation } of routes) {
    if (deprecation !== null && !isNoticeLongEnough(deprecation)) {
      throw new Error(
        `Expected the sunset of ${name} at least ${NOTICE_MONTHS_MIN} months after its announcement, got ${deprecation.sunset}`,
      );
    }
  }
  return routes;
}
