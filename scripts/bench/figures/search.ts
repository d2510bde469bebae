// The latency of a search that finds a few rows among many, in proportion to the first page of the list.
import type { BenchFigure } from '../bench.ts';
import { compareLatency } from '../compare.ts';
import { RARE_WORD } from '../history.ts';
import { untilDay } from '../world.ts';

export const searchFigure: BenchFigure = {
  name: 'search',
  async measure(bench) {
    const world = await bench.world();
    const { searchedRows } = bench.sizes;
    await world.budget('searched', searchedRows);
    const page = '/transactions?budget_id=searched&limit=100';
    const first = world.newQuestions(count => page + untilDay(count));
    const rare = world.newQuestions(count => `${page}&search=${RARE_WORD}${untilDay(count)}`);
    return [
      {
        what: `Rare search in ${searchedRows} rows`,
        against: 'first page, 100 rows',
        unit: 'ms',
        rounds: await compareLatency(bench.sizes, first, rare),
        goal: { ratio: { atMost: 10 } },
      },
    ];
  },
};
