// The latency of sums: of a large budget in proportion to a small one, and of two crossing filters in proportion to a scan
// that adds up the same rows.
import type { Db } from 'mongodb';
import { generationCollections } from '../../../src/store/collections.ts';
import { BY_PLACE } from '../../../src/store/row-codec.ts';
import { compareAfterChange } from '../after-change.ts';
import { median } from '../arithmetic.ts';
import type { Bench, BenchFigure } from '../bench.ts';
import { LARGE } from '../large.ts';
import type { Measured } from '../measured.ts';
import { generationOf } from '../progress.ts';
import type { World } from '../world.ts';

/** A sum by label has the same groups in a small budget as in a large one. */
const SMALL = { id: 'thousand', rows: 1000 };
/** Each payee and group of categories has rows in nearly every month, as in the large budget of `--scale full`. */
const SPREAD = { id: 'spread', rows: 100_000 };
/** All rows of a history, which are of ten years. */
const TEN_YEARS = '&interval=month&start_date=2016-01-01&end_date=2025-12-31';
const FLAT = [
  { what: 'by payee', query: 'group_by=payee', baseline: SPREAD },
  { what: 'by payee, ten years by month', query: `group_by=payee${TEN_YEARS}`, baseline: SPREAD },
  { what: 'by label, ten years by month', query: `group_by=label${TEN_YEARS}`, baseline: SMALL },
  {
    what: 'by group, ten years by month',
    query: `group_by=categoryGroup${TEN_YEARS}`,
    baseline: SPREAD,
  },
];
/** Most rows of the large budget are of these two (large.ts). */
const CROSSING = 'group_by=payee&account_id=account-0&category_id=category-1';
const ROUNDS = 5;

export const sumsFigure: BenchFigure = {
  name: 'sums',
  async measure(bench) {
    const world = await bench.world();
    const { sizes } = bench;
    for (const { id, rows } of [SMALL, SPREAD]) await world.budget(id, rows);
    await LARGE.make(world, sizes);
    const pairs = FLAT.map(({ what, query, baseline }) => ({
      what: `GET /sums ${what}, of a budget of ${sizes.largeRows} rows`,
      against: `${baseline.rows} rows`,
      goal: { ratio: { atMost: 1.3 } },
      baseline: world.asked(`/sums?budget_id=${baseline.id}&${query}`),
      subject: world.asked(`/sums?budget_id=${LARGE.id}&${query}`),
    }));
    const budgetIds = [SMALL.id, SPREAD.id, LARGE.id];
    const flat = await compareAfterChange({ world, sizes, budgetIds }, pairs);
    return [...flat, await crossing(bench, world)];
  },
};

async function crossing({ sizes }: Bench, world: World): Promise<Measured> {
  const { url, headers = {} } = world.asked(`/sums?budget_id=${LARGE.id}&${CROSSING}`);
  const rounds = { subject: [] as number[], baseline: [] as number[] };
  const rows = { asked: 0, scanned: 0 };
  const ask = async (round: number) => {
    // A limit of its own for each request, so that no kept body is served.
    const response = await fetch(`${url}&limit=${1000 - round}`, { headers });
    const { sums: found } = (await response.json()) as { sums: { count: number }[] };
    rows.asked = found.reduce((sum, { count }) => sum + count, 0);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.baseline.push(
      await timed(async () => {
        rows.scanned = await scan(world.database);
      }),
    );
    rounds.subject.push(await timed(() => ask(round)));
  }
  if (rows.asked !== rows.scanned) {
    throw new Error(`Expected the sums of ${rows.scanned} rows, got those of ${rows.asked}`);
  }
  return {
    what: `GET /sums of two filters that ${rows.asked} of ${sizes.largeRows} rows match (median ${Math.round(median(rounds.subject))} ms)`,
    against: 'a scan that adds up these rows',
    unit: 'ms',
    rounds,
    goal: { ratio: { atMost: 2 } },
  };
}

/** Adds up all rows of the account and the category, without groups; returns their number. */
async function scan(database: Db): Promise<number> {
  const { heads, rows } = generationCollections(database, (await generationOf(database)) ?? '');
  const head = await heads.findOne({ _id: LARGE.id });
  const match = { set: head?.set ?? '', account: 'account-0', category: 'category-1' };
  const group = { _id: null, net: { $sum: '$amount' }, count: { $sum: 1 } };
  const [found] = await rows
    .aggregate<{ count: number }>([{ $match: match }, { $group: group }], { hint: BY_PLACE })
    .toArray();
  return found?.count ?? 0;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
