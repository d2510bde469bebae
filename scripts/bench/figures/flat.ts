// The latency of a large budget's answers, in proportion to a small one's.
import { compareAfterChange } from '../after-change.ts';
import type { BenchFigure } from '../bench.ts';
import { LARGE } from '../large.ts';
import type { ReaderRequest } from '../load.ts';
import type { World } from '../world.ts';

const SMALL = 'thousand';
const PATHS = [
  '/transactions?limit=100',
  '/accounts',
  '/months/2020-05',
  '/categories',
  '/payees',
  '/months?start_month=2016-01&end_month=2025-12',
];

export const flatFigure: BenchFigure = {
  name: 'flat',
  async measure(bench) {
    const world = await bench.world();
    await world.budget(SMALL, 1000);
    await LARGE.make(world, bench.sizes);
    const { sizes } = bench;
    const pairs = PATHS.map(path => ({
      what: `GET ${path} of a budget of ${sizes.largeRows} rows`,
      against: '1000 rows',
      goal: { ratio: { atMost: 1.3 } },
      baseline: requestOf(world, path, SMALL),
      subject: requestOf(world, path, LARGE.id),
    }));
    return await compareAfterChange({ world, sizes, budgetIds: [SMALL, LARGE.id] }, pairs);
  },
};

function requestOf(world: World, path: string, budgetId: string): ReaderRequest {
  return world.asked(`${path}${path.includes('?') ? '&' : '?'}budget_id=${budgetId}`);
}
