// A page of transactions from the complete service, in proportion to a bare handler that decodes and stringifies.
import { startBareReader } from '../bare.ts';
import { copyRows } from '../bare-data.ts';
import type { BenchFigure } from '../bench.ts';
import { compareLoad } from '../compare.ts';
import type { Measured } from '../measured.ts';

const PAGES = [
  { limit: 100, atLeast: 2 },
  { limit: 1000, atLeast: 7 },
];

export const transactionsFigure: BenchFigure = {
  name: 'transactions',
  async measure(bench) {
    const world = await bench.world();
    await world.budget('thousand', 1000);
    await copyRows(world, 'thousand');
    const bare = await startBareReader(world);
    const measured: Measured[] = [];
    for (const { limit, atLeast } of PAGES) {
      const path = `/transactions?budget_id=thousand&limit=${limit}`;
      const baseline = { url: bare.origin + path };
      measured.push({
        what: `GET /transactions, ${limit} rows`,
        against: 'bare find and stringify',
        unit: 'requests/s',
        rounds: await compareLoad(bench.sizes, baseline, world.asked(path)),
        goal: { ratio: { atLeast } },
      });
    }
    await bare.running.stop();
    return measured;
  },
};
