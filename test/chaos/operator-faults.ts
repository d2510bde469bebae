// Operators whose commands are killed half-way, and who run them again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../histories/random.ts';
import { activeCollections } from './active-collections.ts';
import type { Killing } from './budgeting.ts';
import type { Fault } from './fault.ts';
import type { World } from './world.ts';

/** From the start of the process until after the end of most commands. */
const KILLED_MS = [300, 4000] as const;

/** A rebuild of a small budget holds it for about 50 ms. */
const HELD_POLL_MS = 5;

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
    name: 'rebuild of a budget killed while it holds the stream',
    weight: 2,
    of: 'operators',
    async run(world, random) {
      const { heads } = await activeCollections(world.client);
      const budgets = await heads.distinct('_id', { held: null, set: { $ne: null } });
      const [budget = ''] = random.some(budgets, 1);
      const held = { _id: budget, 'held.why': 'change' };
      const killing: Killing = async signal => {
        while (!signal.aborted && !(await heads.findOne(held))) await sleep(HELD_POLL_MS);
        await sleep(random.between(0, HELD_POLL_MS));
      };
      const args = ['rebuild', '--budget', budget];
      await world.budgetingKilled(killing, ...args);
      // The stream that it holds must go on in any case.
      if (random.chance(0.5)) await repeated(world, args);
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

async function killedAndRepeated(world: World, random: Random, args: Args): Promise<void> {
  const afterMs = random.between(...KILLED_MS);
  const killing: Killing = signal => sleep(afterMs, undefined, { signal });
  await world.budgetingKilled(killing, ...args);
  await repeated(world, args);
}

async function repeated({ budgeting, blame }: World, args: Args): Promise<void> {
  const { code, err } = await budgeting(...args);
  // It may be refused, because the first one took effect.
  const what = `budgeting ${args.join(' ')}, run again`;
  if (code === null) blame(`${what}, hangs`);
  else if (/\n\s+at /.test(err)) blame(`${what}, printed a stack: ${err}`);
}
