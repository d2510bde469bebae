// A page of transactions from the complete service, in proportion to a bare handler that decodes and stringifies.
import { startBareReader } from '../bare.ts';
import { copyRows } from '../bare-data.ts';
import type { Figure } from '../bench.ts';
import { load } from '../load.ts';
import { alternate, type Measured } from '../measured.ts';

export const CONNECTIONS = 16;
const PAGES = [
  { limit: 100, atLeast: 1.5 },
  { limit: 1000, atLeast: 4 },
];

export const transactions: Figure = {
  name: 'transactions',
  async measure(bench) {
    const world = await bench.world();
    await world.budget('thousand', 1000);
    await copyRows(world.database.client, world, 'thousand');
    const bare = await startBareReader(world);
    const measured: Measured[] = [];
    for (const { limit, atLeast } of PAGES) {
      const path = `/transactions?budget_id=thousand&limit=${limit}`;
      const rounds = await alternate(
        bench.sizes.rounds,
        () => load({ url: bare.origin + path }, CONNECTIONS, bench.sizes.loadMs),
        () => load(world.asked(path), CONNECTIONS, bench.sizes.loadMs),
      );
      measured.push({
        what: `GET /transactions, ${limit} rows`,
        against: 'bare find and stringify',
        unit: 'requests/s',
        rounds,
        goal: { ratio: { atLeast } },
      });
    }
    await bare.running.stop();
    return measured;
  },
};
