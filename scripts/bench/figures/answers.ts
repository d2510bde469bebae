// Small answers of the complete service, in proportion to a bare handler that finds one document of that size.
import { startBareReader } from '../bare.ts';
import { copyAnswer } from '../bare-data.ts';
import type { Figure } from '../bench.ts';
import { load } from '../load.ts';
import { alternate, type Measured } from '../measured.ts';
import { CONNECTIONS } from './transactions.ts';

const PATHS = ['/accounts', '/months/2020-05', '/categories'];

export const answers: Figure = {
  name: 'answers',
  async measure(bench) {
    const world = await bench.world();
    await world.budget('thousand', 1000);
    const bare = await startBareReader(world);
    const measured: Measured[] = [];
    for (const path of PATHS) {
      const question = `${path}?budget_id=thousand`;
      await copyAnswer(world.database.client, world, question, path);
      const rounds = await alternate(
        bench.sizes.rounds,
        () => load({ url: bare.origin + path }, CONNECTIONS, bench.sizes.loadMs),
        () => load(world.asked(question), CONNECTIONS, bench.sizes.loadMs),
      );
      measured.push({
        what: `GET ${path}`,
        against: 'bare findOne and stringify',
        unit: 'requests/s',
        rounds,
        goal: { ratio: { atLeast: 0.5 } },
      });
    }
    await bare.running.stop();
    return measured;
  },
};
