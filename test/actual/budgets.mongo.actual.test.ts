// Imports compared with Actual's own engine; `npm run compare -- --budgets 500` compares more.
import anyTest from 'ava';
import { actualFolder, actualTest } from '../helpers/actual.ts';
import { useMongo } from '../helpers/mongo.ts';
import { compareBudgets } from './compare-budgets.ts';

const test = actualTest(anyTest);
const mongo = useMongo(anyTest);

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);
/** Actual shows 16 months or more of each budget, before and after its changes. */
const FIGURES_MIN = 500;

test('random budgets have the figures that Actual computes from the same export, as made and as changed', async t => {
  const compared = new Map<number, number>();
  await compareBudgets({
    seeds: SEEDS,
    actualFolder: await actualFolder(),
    mongo,
    report(seed, { figures, differences }) {
      t.deepEqual(differences, [], `seed ${seed}`);
      compared.set(seed, figures);
    },
  });
  t.deepEqual(
    [...compared.keys()].sort((one, other) => one - other),
    SEEDS,
  );
  t.true(Math.min(...compared.values()) >= FIGURES_MIN);
  t.log(`${[...compared.values()].reduce((sum, figures) => sum + figures, 0)} figures`);
});
