// The latency of a large budget's answers, in proportion to a small one's. Each request follows a change of both
// budgets, so that no kept body is served.
import { median } from '../arithmetic.ts';
import type { Figure } from '../bench.ts';
import { stream } from '../history.ts';
import { LARGE } from '../large.ts';
import { type Asked, latencies } from '../load.ts';
import type { Measured, Rounds } from '../measured.ts';
import { positionOf, type World } from '../world.ts';

const SMALL = 'thousand';
const PATHS = ['/transactions?limit=100', '/accounts', '/months/2020-05', '/categories', '/payees'];

export const flat: Figure = {
  name: 'flat',
  async measure(bench) {
    const world = await bench.world();
    const { rounds, requests, largeRows } = bench.sizes;
    await world.budget(SMALL, 1000);
    await LARGE.make(world, bench.sizes);
    const change = await changer(world, [SMALL, LARGE.id]);
    const results = new Map<string, { subject: number[]; baseline: number[] }>();
    for (const path of PATHS) results.set(path, { subject: [], baseline: [] });
    for (let round = -1; round < rounds; round += 1) {
      const times = await measureRound(world, Math.ceil(requests / rounds), change);
      // The first round only warms up.
      if (round === -1) continue;
      for (const [path, { small, large }] of times) {
        results.get(path)?.baseline.push(median(small));
        results.get(path)?.subject.push(median(large));
      }
    }
    return [...results].map(([path, pairs]) => measured(path, largeRows, pairs));
  },
};

function measured(path: string, largeRows: number, rounds: Rounds): Measured {
  return {
    what: `GET ${path} of a budget of ${largeRows} rows`,
    against: '1000 rows',
    unit: 'ms',
    rounds,
    goal: { ratio: { atMost: 1.3 } },
  };
}

type Times = Map<string, { readonly small: number[]; readonly large: number[] }>;

async function measureRound(
  world: World,
  requests: number,
  change: () => Promise<void>,
): Promise<Times> {
  const times: Times = new Map(PATHS.map(path => [path, { small: [], large: [] }]));
  for (let request = 0; request < requests; request += 1) {
    await change();
    for (const [path, { small, large }] of times) {
      small.push(...(await latencies(requestOf(world, path, SMALL), 1)));
      large.push(...(await latencies(requestOf(world, path, LARGE.id), 1)));
    }
  }
  return times;
}

function requestOf(world: World, path: string, budgetId: string): Asked {
  return world.asked(`${path}${path.includes('?') ? '&' : '?'}budget_id=${budgetId}`);
}

/** Returns a function that moves the position of each budget without a visible change. */
async function changer(world: World, budgetIds: readonly string[]): Promise<() => Promise<void>> {
  const streams: { id: string; event: ReturnType<typeof stream> }[] = [];
  for (const id of budgetIds)
    streams.push({ id, event: stream(id, (await positionOf(world, id)) + 1) });
  return () =>
    world.apply(streams.map(({ id, event }) => event('budget.renamed', { name: `Budget ${id}` })));
}
