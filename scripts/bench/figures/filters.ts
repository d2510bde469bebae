// The latency of pages by payee, label and amount, in proportion to pages without such a filter, and the answers per
// second of single rows, in proportion to a bare handler that finds one document.

import { compareAfterChange } from '../after-change.ts';
import { startBareReader } from '../bare.ts';
import { copyAnswer } from '../bare-data.ts';
import type { Bench, BenchFigure } from '../bench.ts';
import { compareLatency, compareLoad } from '../compare.ts';
import { RARE_AMOUNT } from '../history.ts';
import { LARGE } from '../large.ts';
import type { ReaderRequest } from '../load.ts';
import type { Measured } from '../measured.ts';
import type { World } from '../world.ts';

const SMALL = 'thousand-skewed';
/** About half of all rows cost more. */
const MIDDLE = '-100.50';
/** `depth` is the part of the budget's rows that come before the deep page. */
const LISTS = [
  { of: 'a payee', filter: '&payee_id=payee-0', depth: 0.1 },
  // A tenth of the rows carry a label.
  { of: 'a label', filter: '&label_id=label-0', depth: 0.09 },
];
const AMOUNTS = [
  { that: 'five rows have', filter: `&max_amount=${RARE_AMOUNT}`, atMost: 5 },
  { that: 'half of the rows have', filter: `&max_amount=${MIDDLE}`, atMost: 2 },
];

export const filtersFigure: BenchFigure = {
  name: 'filters',
  async measure(bench) {
    const world = await bench.world();
    const { sizes } = bench;
    await world.budget(SMALL, 1000, { skew: 95 });
    await LARGE.make(world, sizes);
    const pairs = LISTS.map(({ of, filter }) => ({
      what: `First page of ${of}, of a budget of ${sizes.largeRows} rows`,
      against: '1000 rows',
      goal: { ratio: { atMost: 1.3 } },
      baseline: pageOf(world, SMALL, filter),
      subject: pageOf(world, LARGE.id, filter),
    }));
    return [
      ...(await compareAfterChange({ world, sizes, budgetIds: [SMALL, LARGE.id] }, pairs)),
      ...(await deepPages(bench, world)),
      ...(await amounts(bench, world)),
      await singleRow(bench, world),
    ];
  },
};

async function deepPages({ sizes }: Bench, world: World): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { of, filter, depth } of LISTS) {
    const offset = Math.floor(sizes.largeRows * depth);
    const deep = pageOf(world, LARGE.id, `${filter}&offset=${offset}`);
    measured.push({
      what: `Page at offset ${offset}, of ${of}`,
      against: 'first page',
      unit: 'ms',
      rounds: await compareLatency(sizes, pageOf(world, LARGE.id, filter), deep),
      goal: { ratio: { atMost: 3 } },
    });
  }
  return measured;
}

async function amounts({ sizes }: Bench, world: World): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { that, filter, atMost } of AMOUNTS) {
    measured.push({
      what: `Page of amounts that ${that}, of ${sizes.largeRows}`,
      against: 'first page, 50 rows',
      unit: 'ms',
      rounds: await compareLatency(
        sizes,
        pageOf(world, LARGE.id, ''),
        pageOf(world, LARGE.id, filter),
      ),
      goal: { ratio: { atMost } },
    });
  }
  return measured;
}

async function singleRow({ sizes }: Bench, world: World): Promise<Measured> {
  const bare = await startBareReader(world);
  const path = '/transactions/row-1';
  await copyAnswer(world, `${path}?budget_id=${LARGE.id}`, path);
  const baseline = { url: bare.origin + path };
  const rounds = await compareLoad(sizes, baseline, otherRows(world, sizes.largeRows));
  await bare.running.stop();
  return {
    what: 'GET /transactions/{transaction_id}, never asked for before',
    against: 'bare findOne and stringify',
    unit: 'requests/s',
    rounds,
    goal: { ratio: { atLeast: 0.5 } },
  };
}

/** Asks for another row with each request, so that no kept body is served. */
function otherRows(world: World, count: number): ReaderRequest {
  let row = 0;
  const path = () => {
    row = (row % count) + 1;
    return `/transactions/row-${row}?budget_id=${LARGE.id}`;
  };
  const { headers = {} } = world.asked('');
  return { url: () => String(world.asked(path()).url), headers };
}

function pageOf(world: World, budgetId: string, filter: string): ReaderRequest {
  return world.asked(`/transactions?budget_id=${budgetId}&limit=50${filter}`);
}
