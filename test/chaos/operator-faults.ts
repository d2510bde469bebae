// Operators whose commands are killed half-way, and who run them again.
import type { Random } from '../histories/random.ts';
import { activeCollections } from './active-collections.ts';
import type { Fault } from './fault.ts';
import type { World } from './world.ts';

/** From the start of the process until after the end of most commands. */
const KILLED_MS = [300, 4000] as const;

type HeldStream = { readonly stream: string; readonly why: string };
type Args = readonly string[];

export const OPERATOR_FAULTS: readonly Fault[] = [
  {
    name: 'parked skip or retry killed and run again',
    weight: 2,
    of: 'operators',
    async run(world, random) {
      const { code, out } = await world.budgeting('parked', 'list', '--json');
      const { streams }: { streams: HeldStream[] } = JSON.parse(
        code === 0 ? out : '{"streams":[]}',
      );
      const [held] = random.some(streams, 1);
      if (held) await killedAndRepeated(world, random, mending(held, random));
    },
  },
  {
    name: 'rebuild of a budget killed and run again',
    weight: 2,
    of: 'operators',
    async run(world, random) {
      const { heads } = await activeCollections(world.client);
      const budgets = await heads.distinct('_id', { set: { $ne: null }, deleted: false });
      const [budget] = random.some(budgets, 1);
      if (budget) await killedAndRepeated(world, random, ['rebuild', '--budget', budget]);
    },
  },
  {
    name: 'rebuild or rollback killed and run again',
    weight: 1,
    of: 'operators',
    run: (world, random) =>
      killedAndRepeated(world, random, [random.pick(['rebuild', 'rollback'])]),
  },
];

function mending({ stream, why }: HeldStream, random: Random): Args {
  if (random.chance(0.3)) return ['parked', 'retry', stream];
  return ['parked', 'skip', stream, ...(why === 'gap' ? ['--missing'] : [])];
}

async function killedAndRepeated(
  { budgeting, budgetingKilled, blame }: World,
  random: Random,
  args: Args,
): Promise<void> {
  await budgetingKilled(random.between(...KILLED_MS), ...args);
  const { code, err } = await budgeting(...args);
  // It may be refused, because the first one took effect.
  const what = `budgeting ${args.join(' ')}, run again`;
  if (code === null) blame(`${what}, hangs`);
  else if (/\n\s+at /.test(err)) blame(`${what}, printed a stack: ${err}`);
}
