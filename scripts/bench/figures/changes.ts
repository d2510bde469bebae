// The latency of /changes: of 1000 things in proportion to a page of as many transactions, and of nothing new in
// proportion to the accounts, for a large budget and against a small one.
import { compareAfterChange, type Pair } from '../after-change.ts';
import type { BenchFigure } from '../bench.ts';
import { compareLatency } from '../compare.ts';
import { LARGE } from '../large.ts';
import type { ReaderRequest } from '../load.ts';
import type { Measured } from '../measured.ts';
import type { World } from '../world.ts';

const SMALL = 'thousand';

export const changesFigure: BenchFigure = {
  name: 'changes',
  async measure(bench) {
    const world = await bench.world();
    const { sizes } = bench;
    await world.budget(SMALL, 1000);
    await LARGE.make(world, sizes);
    const first = pathOf(LARGE.id);
    const ofLarge = `of a budget of ${sizes.largeRows} rows`;
    const pages: Pair[] = [
      {
        what: `GET /changes, 1000 rows, ${ofLarge}`,
        against: 'as many of /transactions',
        goal: { ratio: { atMost: 1.5 } },
        baseline: world.asked(`/transactions?budget_id=${LARGE.id}&limit=1000`),
        // Accounts, categories and payees come with the first page.
        subject: world.asked(pathOf(LARGE.id, (await pageAt(world, first)).cursor)),
      },
      {
        what: `GET /changes, the first page, ${ofLarge}`,
        against: '1000 rows',
        goal: { ratio: { atMost: 1.3 } },
        baseline: world.asked(pathOf(SMALL)),
        subject: world.asked(first),
      },
    ];
    const budgetIds = [SMALL, LARGE.id];
    const measured = await compareAfterChange({ world, sizes, budgetIds }, pages);
    const small = await nothingNew(world, SMALL);
    const large = await nothingNew(world, LARGE.id);
    const empty = async (against: string, baseline: ReaderRequest): Promise<Measured> => ({
      what: `GET /changes, nothing new, ${ofLarge}`,
      against,
      unit: 'ms',
      rounds: await compareLatency(sizes, baseline, large),
      goal: { ratio: { atMost: 1.3 } },
    });
    const accounts = world.asked(`/accounts?budget_id=${LARGE.id}`);
    return [...measured, await empty('/accounts', accounts), await empty('1000 rows', small)];
  },
};

function pathOf(budgetId: string, cursor?: string): string {
  const after = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  return `/changes?budget_id=${budgetId}${after}`;
}

interface Page {
  readonly cursor: string;
  readonly has_more: boolean;
}

async function pageAt(world: World, path: string): Promise<Page> {
  const { url, headers = {} } = world.asked(path);
  const response = await fetch(String(url), { headers });
  if (response.status !== 200) throw new Error(`Expected ${path} to answer 200`);
  return (await response.json()) as Page;
}

/** Follows a budget to its end, and returns the request of a client that is up to date. */
async function nothingNew(world: World, budgetId: string): Promise<ReaderRequest> {
  let page = await pageAt(world, pathOf(budgetId));
  while (page.has_more) page = await pageAt(world, pathOf(budgetId, page.cursor));
  return world.asked(pathOf(budgetId, page.cursor));
}
