// Compares the latencies of requests that each follow a change of their budgets, so that no kept body is served.
import { median } from './arithmetic.ts';
import { stream } from './history.ts';
import { latencies, type ReaderRequest } from './load.ts';
import type { Measured } from './measured.ts';
import type { Sizes } from './sizes.ts';
import { positionOf, type World } from './world.ts';

export interface Pair extends Pick<Measured, 'what' | 'against' | 'goal'> {
  readonly baseline: ReaderRequest;
  readonly subject: ReaderRequest;
}

export interface AfterChange {
  readonly world: World;
  readonly sizes: Pick<Sizes, 'rounds' | 'requests'>;
  /** The budgets that change before the requests of all pairs are sent once. */
  readonly budgetIds: readonly string[];
}

interface Times {
  readonly baseline: number[];
  readonly subject: number[];
}

/** Measures each pair in median milliseconds. The first round only warms up and is not counted. */
export async function compareAfterChange(
  { world, sizes: { rounds, requests }, budgetIds }: AfterChange,
  pairs: readonly Pair[],
): Promise<Measured[]> {
  const change = await changer(world, budgetIds);
  const results = pairs.map((): Times => ({ baseline: [], subject: [] }));
  for (let round = -1; round < rounds; round += 1) {
    const times = pairs.map((): Times => ({ baseline: [], subject: [] }));
    for (let request = 0; request < Math.ceil(requests / rounds); request += 1) {
      await change();
      for (const [index, { baseline, subject }] of pairs.entries()) {
        times[index]?.baseline.push(...(await latencies(baseline, 1)));
        times[index]?.subject.push(...(await latencies(subject, 1)));
      }
    }
    if (round === -1) continue;
    for (const [index, { baseline, subject }] of times.entries()) {
      results[index]?.baseline.push(median(baseline));
      results[index]?.subject.push(median(subject));
    }
  }
  return pairs.map(({ what, against, goal }, index) => {
    const rounds = results[index] ?? { baseline: [], subject: [] };
    return { what, against, unit: 'ms', rounds, goal };
  });
}

/** Returns a function that moves the position of each budget without a visible change. */
async function changer(world: World, budgetIds: readonly string[]): Promise<() => Promise<void>> {
  const streams: { id: string; event: ReturnType<typeof stream> }[] = [];
  for (const id of budgetIds)
    streams.push({ id, event: stream(id, (await positionOf(world, id)) + 1) });
  return () =>
    world.apply(streams.map(({ id, event }) => event('budget.renamed', { name: `Budget ${id}` })));
}
