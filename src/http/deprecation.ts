// The headers of a deprecated route (RFC 9745, RFC 8594), from its entry in schemas/api/routes.json.
import type { Deprecation } from '../../schemas/generated/api.ts';

/** A breaking change is announced at least this long ahead (rules/api.md#versions). */
export const NOTICE_MONTHS_MIN = 6;

/**
 * Returns the headers of a route, none if it is not deprecated.
 *
 * @throws Error if the notice is shorter than six months (rules/api.md#versions)
 */
export function deprecationHeaders(deprecation: Deprecation | null): Record<string, string> {
  if (deprecation === null) return {};
  const announced = new Date(deprecation.announced);
  const sunset = new Date(deprecation.sunset);
  if (!isNoticeLongEnough(deprecation)) {
    const expected = `a sunset at least ${NOTICE_MONTHS_MIN} months after the announcement`;
    throw new Error(`Expected ${expected} (${deprecation.announced}), got ${deprecation.sunset}`);
  }
  return {
    Deprecation: `@${Math.floor(announced.getTime() / 1000)}`,
    Sunset: sunset.toUTCString(),
    Link: `<${deprecation.link}>; rel="deprecation"; type="text/html"`,
  };
}

/** Counts calendar months; a day that is missing in the later month runs over into the next one. */
export function isNoticeLongEnough({ announced, sunset }: Deprecation): boolean {
  const earliest = new Date(announced);
  earliest.setUTCMonth(earliest.getUTCMonth() + NOTICE_MONTHS_MIN);
  return new Date(sunset) >= earliest;
}
