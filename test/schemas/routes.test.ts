// The table of routes: the endpoints of the specification, and what a deprecated one means.
import test from 'ava';
import { ROUTES, SCOPES } from '../../schemas/generated/api.ts';
import { openapi } from '../../scripts/generate/openapi.ts';
import { checkRoutes, readRoutes } from '../../scripts/generate/routes.ts';

test('read-api-v1.md, 4, and additions.md: the endpoints, each with its scope', t => {
  t.deepEqual(
    ROUTES.map(({ path, scope }) => `${path} ${scope}`),
    [
      '/budgets budgets:read',
      '/accounts accounts:read',
      '/transactions transactions:read',
      '/categories categories:read',
      '/payees payees:read',
      '/labels labels:read',
      '/months/{month} months:read',
      '/months months:read',
      '/category-months months:read',
      '/balances accounts:read',
    ],
  );
  t.deepEqual([...SCOPES], [...new Set(ROUTES.map(({ scope }) => scope))]);
  t.deepEqual([...ROUTES], readRoutes());
});

const deprecated = (announced: string, sunset: string) =>
  ROUTES.map(route =>
    route.name === 'labels'
      ? { ...route, deprecation: { announced, sunset, link: 'https://example.com/labels' } }
      : route,
  );

test('decisions.md, versions: a notice of six months is taken, a shorter one refused', t => {
  const table = deprecated('2026-01-15T00:00:00Z', '2026-07-15T00:00:00Z');
  t.deepEqual(checkRoutes(table), table);
  for (const [announced, sunset] of [
    ['2026-01-15T00:00:00Z', '2026-07-14T23:59:59Z'],
    ['2026-08-31T00:00:00Z', '2027-02-28T00:00:00Z'],
    ['2026-01-15T00:00:00Z', '2026-01-15T00:00:00Z'],
    ['2026-01-15T00:00:00Z', '2025-12-15T00:00:00Z'],
  ] as const) {
    t.throws(() => checkRoutes(deprecated(announced, sunset)), { message: /6 months/ });
  }
});

test('a broken table is refused with the place of the fault', t => {
  t.throws(() => checkRoutes(deprecated('2026-01-15', '2026-07-15T00:00:00Z')), {
    message: /^Expected routes\[5\]\.deprecation\.announced to be a time/,
  });
  t.throws(() => checkRoutes([{ name: 'budgets' }]), { message: /^Expected routes\[0\] to have / });
});

test('decisions.md, versions: a deprecated route yields deprecated: true, the others do not', t => {
  const table = deprecated('2026-01-15T00:00:00Z', '2026-07-15T00:00:00Z');
  const { paths } = JSON.parse(openapi(table)) as {
    paths: Record<string, { get: { deprecated?: boolean } }>;
  };
  const marked = Object.entries(paths).filter(([, path]) => 'deprecated' in path.get);
  t.deepEqual(
    marked.map(([path, { get }]) => [path, get.deprecated]),
    [['/labels', true]],
  );
});
