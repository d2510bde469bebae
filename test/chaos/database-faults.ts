// Faults of the database: members that die, primaries that step down, commits with a lost result.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../histories/random.ts';
import { cut, type Fault, freeze, MINUTE_MS, swallow } from './fault.ts';
import type { Member } from './replica-set.ts';
import type { World } from './world.ts';

/** Selects the product's connections, including those of readers. */
const APP_NAME = 'budgeting';
const UNKNOWN = { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } };
const NOT_PRIMARY = { errorCode: 10107 };
const COMMIT = { failCommands: ['commitTransaction'] };
const BROKEN = { closeConnection: true };
/** Until an orphaned commit arrives: while its sender asks what became of it, or has begun again. */
const LATE_MS = [1, 600] as const;
const WRITE_CONFLICT = { errorCode: 112, errorLabels: ['TransientTransactionError'] };

export const DATABASE_FAULTS: readonly Fault[] = [
  {
    name: 'member of the database killed and started',
    weight: 3,
    of: 'database',
    run: toMember((member, random) => member.killAndRestart(random.between(0, 4000))),
  },
  {
    name: 'primary stepped down',
    weight: 3,
    of: 'database',
    run: world =>
      inBadWeather(world, async () => {
        const command = { replSetStepDown: 5, secondaryCatchUpPeriodSecs: 2, force: true };
        await send(await world.set.primary(), command);
      }),
  },
  {
    name: 'member of the database frozen',
    weight: 2,
    of: 'database',
    run: toMember((member, random) => freeze(member, random.between(500, 6000))),
  },
  {
    name: 'network to a member of the database cut',
    weight: 4,
    of: 'database',
    run: toMember(({ proxy }, random) => cut(proxy, random)),
  },
  {
    name: 'connections to a member of the database half-open',
    weight: 2,
    of: 'database',
    run: toMember(({ proxy }, random) => swallow(proxy, random)),
  },
  {
    name: 'member of the database frozen for a minute',
    weight: 1,
    of: 'database',
    isLong: true,
    run: toMember(member => freeze(member, MINUTE_MS)),
  },
  {
    name: 'network to a member of the database slow',
    weight: 2,
    of: 'database',
    run: toMember(async ({ proxy }, random) => {
      proxy.slow(random.between(20, 1000));
      await sleep(random.between(2000, 6000));
      proxy.mend();
    }),
  },
  {
    name: 'commits done, their result unknown',
    weight: 5,
    of: 'database',
    run: (world, random) => fail(world, random, { ...COMMIT, ...UNKNOWN }),
  },
  {
    name: 'commits cut off before they came',
    weight: 4,
    of: 'database',
    run: (world, random) =>
      fail(world, random, { ...COMMIT, ...random.pick([BROKEN, NOT_PRIMARY]) }),
  },
  {
    name: 'commits done, all their results unknown',
    weight: 2,
    of: 'database',
    run: (world, random) => fail(world, random, { ...COMMIT, ...UNKNOWN, mode: 'alwaysOn' }),
  },
  {
    name: 'commits late, all their answers lost',
    weight: 3,
    of: 'database',
    run: (world, random) =>
      inBadWeather(world, async () => {
        const { members } = world.set;
        for (const { proxy } of members) proxy.orphanCommits(() => random.between(...LATE_MS));
        await sleep(random.between(1000, 4000));
        for (const { proxy } of members) proxy.mend();
      }),
  },
  {
    name: 'writes refused',
    weight: 3,
    of: 'database',
    run: (world, random) => {
      const how = random.pick([BROKEN, NOT_PRIMARY, WRITE_CONFLICT]);
      const failCommands = random.pick([['insert'], ['update'], ['delete'], ['findAndModify']]);
      return inBadWeather(world, () => fail(world, random, { failCommands, ...how }));
    },
  },
];

/** Does something to one of the members. */
function toMember(harm: (member: Member, random: Random) => Promise<void>): Fault['run'] {
  return (world, random) => inBadWeather(world, () => harm(random.pick(world.set.members), random));
}

/** Readers may be affected until the database is healthy again. */
export async function inBadWeather(
  { weather, set }: World,
  action: () => Promise<void>,
): Promise<void> {
  const clear = weather.begin();
  try {
    await action();
    await set.healthy();
  } finally {
    clear();
  }
}

/** How commands fail; `mode` says how often (default: some times). */
type CommandFailure = Readonly<Record<string, unknown>> & { readonly mode?: 'alwaysOn' };

async function fail({ set }: World, random: Random, failure: CommandFailure): Promise<void> {
  const { mode = { times: random.between(1, 12) }, ...how } = failure;
  const lastsMs = random.between(500, 4000);
  const primary = await set.primary();
  const data = { appName: APP_NAME, ...how };
  await send(primary, { configureFailPoint: 'failCommand', mode, data });
  await sleep(lastsMs);
  await send(primary, { configureFailPoint: 'failCommand', mode: 'off' });
}

async function send(member: Member | null, command: object): Promise<void> {
  await member?.client
    .db('admin')
    .command(command)
    .catch(() => {});
}
