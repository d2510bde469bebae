// The latency of a search that finds a few rows among many, in proportion to the first page of the list.
import type { BenchFigure } from '../bench.ts';
import { compareLatency } from '../compare.ts';
import { RARE_WORD } from '../history.ts';

export const searchFigure: BenchFigure = {
  name: 'search',
  async measure(bench) {
    const world = await bench.world();
    const { searchedRows } = bench.sizes;
    await world.budget('searched', searchedRows);
    const first = '/transactions?budget_id=searched&limit=100';
    const rare = `${first}&search=${RARE_WORD}`;
    return [
      {
        what: `Rare search in ${searchedRows} rows`,
        against: 'first page, 100 rows',
        unit: 'ms',
        rounds: await compareLatency(bench.sizes, world.asked(first), world.asked(rare)),
        goal: { ratio: { atMost: 10 } },
      },
    ];
  },
};
