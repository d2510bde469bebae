// The table of routes, checked: every file it names is there, and no deprecation is on short notice.

import type { Deprecation, Route } from '../../schemas/generated/api.ts';
import { createAjv, describeErrors } from '../../src/validation.ts';
import { readJson } from './schema-files.ts';

/** A change that would break clients is announced this long ahead (read-api-v1.md, 9). */
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

/** Six calendar months; where the day does not exist in the later month, the next day that does. */
function isNoticeLongEnough({ announced, sunset }: Deprecation): boolean {
  const earliest = new Date(announced);
  earliest.setUTCMonth(earliest.getUTCMonth() + NOTICE_MONTHS_MIN);
  return new Date(sunset) >= earliest;
}
