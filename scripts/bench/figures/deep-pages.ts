// The latency of a page deep in a long list, in proportion to the first page of that list.
import type { BenchFigure } from '../bench.ts';
import { compareLatency } from '../compare.ts';
import { LARGE } from '../large.ts';
import type { Measured } from '../measured.ts';
import { fromDay, untilDay } from '../world.ts';

const LISTS = [
  { of: 'all rows', filter: '', vary: untilDay },
  { of: 'an account', filter: '&account_id=account-0', vary: untilDay },
  { of: 'a category', filter: '&category_id=category-1', vary: untilDay },
  { of: 'dates', filter: '&end_date=2025-12-25', vary: fromDay },
];

export const deepPagesFigure: BenchFigure = {
  name: 'deep-pages',
  async measure(bench) {
    const world = await bench.world();
    await LARGE.make(world, bench.sizes);
    const { deepOffset } = bench.sizes;
    const measured: Measured[] = [];
    for (const { of, filter, vary } of LISTS) {
      const page = `/transactions?budget_id=${LARGE.id}&limit=100${filter}`;
      const first = world.newQuestions(count => page + vary(count));
      const deep = world.newQuestions(count => `${page}&offset=${deepOffset}${vary(count)}`);
      measured.push({
        what: `Page at offset ${deepOffset}, of ${of}`,
        against: 'first page',
        unit: 'ms',
        rounds: await compareLatency(bench.sizes, first, deep),
        goal: { ratio: { atMost: 3 } },
      });
    }
    return measured;
  },
};
