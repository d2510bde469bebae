// Headers of a deprecated route, and the notice that is owed.
import test from 'ava';
import { ROUTES } from '../../schemas/generated/api.ts';
import { deprecationHeaders } from '../../src/http/deprecation.ts';

const link = 'https://example.com/moving';

test('Deprecation: @<unix seconds> (RFC 9745), Sunset (RFC 8594), Link rel="deprecation"', t => {
  const announced = '2026-03-14T09:27:00.000Z';
  const headers = deprecationHeaders({ announced, sunset: '2026-09-16T00:00:00Z', link });
  t.deepEqual(headers, {
    Deprecation: '@1773480420',
    Sunset: 'Wed, 16 Sep 2026 00:00:00 GMT',
    Link: '<https://example.com/moving>; rel="deprecation"; type="text/html"',
  });
});

test('A route that stays has no such headers', t => {
  t.deepEqual(deprecationHeaders(null), {});
});

test('A notice shorter than six months is refused', t => {
  const notice = (announced: string, sunset: string) => () =>
    deprecationHeaders({ announced, sunset, link });
  t.throws(notice('2026-03-14T00:00:00Z', '2026-09-13T23:59:59Z'), {
    message: /at least 6 months/,
  });
  t.notThrows(notice('2026-03-14T00:00:00Z', '2026-09-14T00:00:00Z'));
  t.throws(notice('2026-03-14T00:00:00Z', 'soon'), { message: /at least 6 months/ });
});

test('Every route of schemas/api/routes.json gives the notice that is owed', t => {
  for (const { deprecation } of ROUTES) t.notThrows(() => deprecationHeaders(deprecation));
});
