// The table of routes: the endpoints of the specification, and the effect of a deprecation.
import test from 'ava';
import { ROUTES, SCOPES } from '../../schemas/generated/api.ts';
import { openapi } from '../../scripts/generate/openapi.ts';
import { checkRoutes, readRoutes } from '../../scripts/generate/routes.ts';
import { readJson } from '../../scripts/generate/schema-files.ts';

test('each endpoint has its scopes (rules/api.md#scopes)', t => {
  t.deepEqual(
    ROUTES.map(({ path, scopes }) => [path, ...scopes].join(' ')),
    [
      '/budgets budgets:read',
      '/accounts accounts:read',
      '/transactions transactions:read',
      '/categories categories:read',
      '/payees payees:read',
      '/labels labels:read',
      '/months/{month} months:read',
      '/token',
      '/changes accounts:read transactions:read categories:read payees:read labels:read',
      '/months months:read',
      '/category-months months:read',
      '/balances accounts:read',
      '/transactions/{transaction_id} transactions:read',
      '/sums transactions:read',
      '/events budgets:read',
    ],
  );
  t.deepEqual(
    [...SCOPES],
    ROUTES.slice(0, 7).flatMap(({ scopes }) => scopes),
  );
  t.deepEqual([...ROUTES], readRoutes());
});

const deprecated = (announced: string, sunset: string) =>
  ROUTES.map(route =>
    route.name === 'labels'
      ? { ...route, deprecation: { announced, sunset, link: 'https://example.com/labels' } }
      : route,
  );

test('rules/api.md#versions: a notice of six months is accepted, a shorter one refused', t => {
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

test('an invalid table is refused with the path of the fault', t => {
  t.throws(() => checkRoutes(deprecated('2026-01-15', '2026-07-15T00:00:00Z')), {
    message: /^Expected routes\[5\]\.deprecation\.announced to be a time/,
  });
  t.throws(() => checkRoutes([{ name: 'budgets' }]), { message: /^Expected routes\[0\] to have / });
});

test('a route whose answer or example is missing is refused with the name of the file', t => {
  for (const folder of ['answers', 'examples']) {
    const file = `schemas/api/${folder}/none.json`;
    t.throws(() => readJson(file), { message: `Expected the file ${file}, there is none` });
  }
});

test('rules/api.md#versions: only a deprecated route has deprecated: true', t => {
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
