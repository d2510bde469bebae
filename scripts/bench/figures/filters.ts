// The latency of pages by payee, label and amount, in proportion to pages without such a filter, and the answers per
// second of single rows, in proportion to a bare handler that finds one document.

import { compareAfterChange } from '../after-change.ts';
import { startBareReader } from '../bare.ts';
import { copyAnswer } from '../bare-data.ts';
import type { Bench, BenchFigure } from '../bench.ts';
import { compareLatency, compareLoad } from '../compare.ts';
import { LARGE } from '../large.ts';
import type { ReaderRequest } from '../load.ts';
import type { Measured } from '../measured.ts';
import { untilDay, type World } from '../world.ts';

const SMALL = 'thousand-skewed';
/** `depth` is the part of the budget's rows that come before the deep page. */
const LISTS = [
  { of: 'a payee', filter: '&payee_id=payee-0', depth: 0.1 },
  // A tenth of the rows carry a label.
  { of: 'a label', filter: '&label_id=label-0', depth: 0.09 },
];
const AMOUNTS = [
  // All others cost less.
  { that: 'five rows have', costs: 201, atMost: 5 },
  { that: 'half of the rows have', costs: 100, atMost: 2 },
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
    const deep = newPageOf(world, `${filter}&offset=${offset}`);
    measured.push({
      what: `Page at offset ${offset}, of ${of}`,
      against: 'first page',
      unit: 'ms',
      rounds: await compareLatency(sizes, newPageOf(world, filter), deep),
      goal: { ratio: { atMost: 3 } },
    });
  }
  return measured;
}

async function amounts({ sizes }: Bench, world: World): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { that, costs, atMost } of AMOUNTS) {
    const amount = (count: number) => `&max_amount=-${(costs + count / 100).toFixed(2)}`;
    measured.push({
      what: `Page of amounts that ${that}, of ${sizes.largeRows}`,
      against: 'first page, 50 rows',
      unit: 'ms',
      rounds: await compareLatency(sizes, newPageOf(world, ''), newPageOf(world, '', amount)),
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
  const newRows = world.newQuestions(
    count => `/transactions/row-${1 + (count % sizes.largeRows)}?budget_id=${LARGE.id}`,
  );
  const rounds = await compareLoad(sizes, baseline, newRows);
  await bare.running.stop();
  return {
    what: 'GET /transactions/{transaction_id}, never asked for before',
    against: 'bare findOne and stringify',
    unit: 'requests/s',
    rounds,
    goal: { ratio: { atLeast: 0.5 } },
  };
}

function pageOf(world: World, budgetId: string, filter: string): ReaderRequest {
  return world.asked(`/transactions?budget_id=${budgetId}&limit=50${filter}`);
}

function newPageOf(world: World, filter: string, vary = untilDay): ReaderRequest {
  const page = `/transactions?budget_id=${LARGE.id}&limit=50${filter}`;
  return world.newQuestions(count => page + vary(count));
}
