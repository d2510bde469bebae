// A tool of /mcp, in proportion to the endpoint that it calls; both of the complete service.
import type { BenchFigure } from '../bench.ts';
import { compareLoad } from '../compare.ts';
import type { ReaderRequest } from '../load.ts';
import type { Measured } from '../measured.ts';
import type { World } from '../world.ts';

const BUDGET = 'thousand';

const CALLS = [
  { tool: 'list_accounts', args: {}, path: '/accounts?' },
  { tool: 'list_transactions', args: {}, path: '/transactions?limit=100&' },
  {
    tool: 'sum_transactions',
    args: { group_by: 'payee' },
    path: '/sums?limit=100&group_by=payee&',
  },
];

export const assistantsFigure: BenchFigure = {
  name: 'assistants',
  async measure(bench) {
    const world = await bench.world();
    await world.budget(BUDGET, 1000);
    const measured: Measured[] = [];
    for (const { tool, args, path } of CALLS) {
      const baseline = world.asked(`${path}budget_id=${BUDGET}`);
      measured.push({
        what: `POST /mcp, ${tool}`,
        against: `GET ${path.split('?')[0]}`,
        unit: 'requests/s',
        rounds: await compareLoad(bench.sizes, baseline, callOf(world, tool, args)),
        goal: { ratio: { atLeast: 0.6 } },
      });
    }
    return measured;
  },
};

function callOf(world: World, name: string, args: object): ReaderRequest {
  const { url, headers } = world.asked('', { 'Content-Type': 'application/json' });
  const params = { name, arguments: { budget_id: BUDGET, ...args } };
  return {
    url: `${new URL(String(url)).origin}/mcp`,
    ...(headers && { headers }),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
}
