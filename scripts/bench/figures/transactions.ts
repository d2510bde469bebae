// A page of transactions from the complete service, in proportion to a bare handler that decodes and stringifies.
import { startBareReader } from '../bare.ts';
import { copyRows } from '../bare-data.ts';
import type { BenchFigure } from '../bench.ts';
import { compareLoad } from '../compare.ts';
import type { ReaderRequest } from '../load.ts';
import type { Measured } from '../measured.ts';
import { untilDay } from '../world.ts';

const PAGES = [
  { limit: 100, again: 2.2, atLeast: 2 },
  { limit: 1000, again: 8, atLeast: 6 },
];

export const transactionsFigure: BenchFigure = {
  name: 'transactions',
  async measure(bench) {
    const world = await bench.world();
    await world.budget('thousand', 1000);
    await copyRows(world, 'thousand');
    const bare = await startBareReader(world);
    const measured: Measured[] = [];
    for (const { limit, again, atLeast } of PAGES) {
      const path = `/transactions?budget_id=thousand&limit=${limit}`;
      const baseline = { url: bare.origin + path };
      const compare = async (
        what: string,
        subject: ReaderRequest,
        goal: number,
      ): Promise<Measured> => ({
        what: `GET /transactions, ${limit} rows${what}`,
        against: 'bare find and stringify',
        unit: 'requests/s',
        rounds: await compareLoad(bench.sizes, baseline, subject),
        goal: { ratio: { atLeast: goal } },
      });
      const newPages = world.newQuestions(count => path + untilDay(count));
      measured.push(await compare('', world.asked(path), again));
      measured.push(await compare(', never asked for before', newPages, atLeast));
    }
    await bare.running.stop();
    return measured;
  },
};
