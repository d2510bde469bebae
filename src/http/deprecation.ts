// The headers of a deprecated route (RFC 9745, RFC 8594), from its one entry in schemas/api/routes.json.
import type { Deprecation } from '../../schemas/generated/api.ts';

const NOTICE_MONTHS_MIN = 6;

/** No headers for a route that stays. Fails for a notice shorter than read-api-v1.md, section 9, allows. */
export function deprecationHeaders(deprecation: Deprecation | null): Record<string, string> {
  if (deprecation === null) return {};
  const announced = new Date(deprecation.announced);
  const sunset = new Date(deprecation.sunset);
  const earliest = new Date(announced);
  earliest.setUTCMonth(earliest.getUTCMonth() + NOTICE_MONTHS_MIN);
  if (!(sunset >= earliest)) {
    const expected = `a sunset at least ${NOTICE_MONTHS_MIN} months after the announcement`;
    throw new Error(`Expected ${expected} (${deprecation.announced}), got ${deprecation.sunset}`);
  }
  return {
    Deprecation: `@${Math.floor(announced.getTime() / 1000)}`,
    Sunset: sunset.toUTCString(),
    Link: `<${deprecation.link}>; rel="deprecation"; type="text/html"`,
  };
}
