// The latency of 1000 daily balances of a large budget, in proportion to its first page of transactions and to the
// balances of a small budget.
import { compareAfterChange } from '../after-change.ts';
import type { BenchFigure } from '../bench.ts';
import { compareLatency } from '../compare.ts';
import { LARGE } from '../large.ts';
import type { Measured } from '../measured.ts';
import { untilDay } from '../world.ts';

const SMALL = 'thousand';
const POINTS = 1000;
const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2016, 0, 1);
/** Ranges begin within so many days. */
const STARTS = 2500;

export const balancesFigure: BenchFigure = {
  name: 'balances',
  async measure(bench) {
    const world = await bench.world();
    const { sizes } = bench;
    await world.budget(SMALL, 1000);
    await LARGE.make(world, sizes);
    const what = `GET /balances, ${POINTS} days, of a budget of ${sizes.largeRows} rows`;
    const page = `/transactions?budget_id=${LARGE.id}&limit=100`;
    const first = world.newQuestions(count => page + untilDay(count));
    const otherDays = world.newQuestions(count => pathOf(LARGE.id, count % STARTS));
    const againstPage: Measured = {
      what,
      against: 'first page of 100 rows',
      unit: 'ms',
      rounds: await compareLatency(sizes, first, otherDays),
      goal: { ratio: { atMost: 3 } },
    };
    const againstSmall = {
      what,
      against: '1000 rows',
      goal: {},
      baseline: world.asked(pathOf(SMALL, 0)),
      subject: world.asked(pathOf(LARGE.id, 0)),
    };
    const budgetIds = [SMALL, LARGE.id];
    return [
      againstPage,
      ...(await compareAfterChange({ world, sizes, budgetIds }, [againstSmall])),
    ];
  },
};

function pathOf(budgetId: string, start: number): string {
  const range = `start_date=${dateAt(start)}&end_date=${dateAt(start + POINTS - 1)}`;
  return `/balances?budget_id=${budgetId}&${range}`;
}

function dateAt(day: number): string {
  return new Date(FIRST_DAY_MS + day * DAY_MS).toISOString().slice(0, 10);
}
