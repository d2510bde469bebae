// Reads the table of routes, and checks its form and the notice of its deprecations.
import type { Deprecation, Route } from '../../schemas/generated/api.ts';
import { createAjv, describeErrors } from '../../src/process/validation.ts';
import { readJson } from './schema-files.ts';

/** A breaking change is announced at least this long ahead (rules/api.md#versions). */
const NOTICE_MONTHS_MIN = 6;

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

/** Counts calendar months; a day that is missing in the later month runs over into the next one. */
function isNoticeLongEnough({ announced, sunset }: Deprecation): boolean {
  const earliest = new Date(announced);
  earliest.setUTCMonth(earliest.getUTCMonth() + NOTICE_MONTHS_MIN);
  return new Date(sunset) >= earliest;
}
