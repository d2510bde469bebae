// The latency of a page deep in a long list, in proportion to the first page of that list.
import type { BenchFigure } from '../bench.ts';
import { compareLatency } from '../compare.ts';
import { LARGE } from '../large.ts';
import type { Measured } from '../measured.ts';

const LISTS = [
  { of: 'all rows', filter: '' },
  { of: 'an account', filter: '&account_id=account-0' },
  { of: 'a category', filter: '&category_id=category-1' },
  { of: 'dates', filter: '&start_date=2016-01-03&end_date=2025-12-25' },
];

export const deepPagesFigure: BenchFigure = {
  name: 'deep-pages',
  async measure(bench) {
    const world = await bench.world();
    await LARGE.make(world, bench.sizes);
    const { deepOffset } = bench.sizes;
    const measured: Measured[] = [];
    for (const { of, filter } of LISTS) {
      const first = `/transactions?budget_id=${LARGE.id}&limit=100${filter}`;
      const deep = `${first}&offset=${deepOffset}`;
      measured.push({
        what: `Page at offset ${deepOffset}, of ${of}`,
        against: 'first page',
        unit: 'ms',
        rounds: await compareLatency(bench.sizes, world.asked(first), world.asked(deep)),
        goal: { ratio: { atMost: 3 } },
      });
    }
    return measured;
  },
};
