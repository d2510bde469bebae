// Envelopes of 200 categories: one month and 60 of them against a bare handler, and after a change of the budget
// against a budget with few rows, and against a month far from the data.
import { compareAfterChange } from '../after-change.ts';
import { startBareReader } from '../bare.ts';
import { copyAnswer } from '../bare-data.ts';
import type { Bench, BenchFigure } from '../bench.ts';
import { compareLoad } from '../compare.ts';
import type { Measured } from '../measured.ts';
import type { World } from '../world.ts';

/** Both assign money to each envelope in each month, so they store equally many sums. */
const CONTENT = { categories: 200, isFunded: true };
const SMALL = 'envelopes';
const LARGE = 'large-envelopes';
/** The last month with data. */
const LAST = '2025-12';
/** Another one, because a request that is repeated after one change is served from a kept body. */
const NEAR = '2025-11';
const FAR = '9000-01';

export const envelopesFigure: BenchFigure = {
  name: 'envelopes',
  async measure(bench) {
    const world = await bench.world();
    await world.budget(SMALL, 1000, CONTENT);
    return [...(await againstBare(bench, world)), ...(await afterChange(bench, world))];
  },
};

async function againstBare({ sizes }: Bench, world: World): Promise<Measured[]> {
  const bare = await startBareReader(world);
  const compare = async (what: string, question: string, atLeast?: number): Promise<Measured> => {
    const path = `/${what.replaceAll(' ', '-')}`;
    await copyAnswer(world, question, path);
    return {
      what: `GET /category-months, 200 categories, ${what}`,
      against: 'bare findOne and stringify',
      unit: 'requests/s',
      rounds: await compareLoad(sizes, { url: bare.origin + path }, world.asked(question)),
      goal: atLeast === undefined ? {} : { ratio: { atLeast } },
    };
  };
  const measured = [
    await compare('one month', pathOf(SMALL, LAST), 0.5),
    await compare('60 months', pathOf(SMALL, '2021-01', LAST)),
  ];
  await bare.running.stop();
  return measured;
}

async function afterChange({ sizes }: Bench, world: World): Promise<Measured[]> {
  await world.budget(LARGE, sizes.largeRows, CONTENT);
  const small = world.asked(pathOf(SMALL, LAST));
  const large = world.asked(pathOf(LARGE, LAST));
  const [near, far] = [world.asked(pathOf(LARGE, NEAR)), world.asked(pathOf(LARGE, FAR))];
  const of = `GET /category-months of a budget of ${sizes.largeRows} rows, 200 categories`;
  const goal = { ratio: { atMost: 1.3 } };
  return await compareAfterChange({ world, sizes, budgetIds: [SMALL, LARGE] }, [
    { what: `${of}, ${LAST}`, against: '1000 rows', goal, baseline: small, subject: large },
    { what: `${of}, ${FAR}`, against: NEAR, goal, baseline: near, subject: far },
  ]);
}

function pathOf(budgetId: string, start: string, end = start): string {
  return `/category-months?budget_id=${budgetId}&start_month=${start}&end_month=${end}`;
}
