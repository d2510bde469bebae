// A chaos run: the product on real servers, faults chosen by a seed, and the proof that they changed nothing.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../histories/random.ts';
import { buildWorld } from './build-world.ts';
import { type Checked, type Checking, checkCalm, checkFromScratch } from './checks.ts';
import { startFollowers } from './followers.ts';
import { createFaultPicker, LONG_MINUTES_MIN } from './pick-fault.ts';
import { runFaults } from './run-faults.ts';
import { runScenarios } from './scenarios/run-scenarios.ts';
import { startVisitors } from './visitors.ts';

export interface ChaosOptions {
  readonly minutes: number;
  readonly seed: number;
  /** Faults go on beyond the minutes until so many kinds took place, since a slow machine gets to fewer. Default 0. */
  readonly kindsMin?: number;
  /** Only faults whose names contain this; empty for all. */
  readonly only?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface ChaosResult {
  readonly faults: ReadonlyMap<string, number>;
  /** Why faults were left out of the run, by name. */
  readonly leftOut: ReadonlyMap<string, string>;
  readonly scenarios: { readonly run: readonly string[]; readonly left: readonly string[] };
  readonly answers: ReadonlyMap<string, number>;
  readonly exits: ReadonlyMap<string, number>;
  readonly starts: number;
  readonly written: number;
  readonly aborted: number;
  /** How often the machine starved this process. */
  readonly starved: number;
  readonly documents: number;
  /** Copies of budgets that followed /changes and equal the lists at the end. */
  readonly copies: number;
  readonly last: Checked;
  /** Every violated expectation; empty if there was none. */
  readonly differences: readonly string[];
  /** The output of the processes; removed if there was no difference. */
  readonly folder: string;
}

const EVENTS_PER_SECOND = 60;
const DIFFERENCE_CHARACTERS = 400;
const ROUND_MS_MAX = 300_000;
const MORE_MS = 30_000;
const SCENARIOS_SHORT = 2;

export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { minutes, seed, kindsMin = 0, only = '', report } = options;
  const { signal = new AbortController().signal } = options;
  const folder = await mkdtemp(join(tmpdir(), 'budgeting-chaos-'));
  const differences: string[] = [];
  const blame = (what: string) => {
    differences.push(what.slice(0, DIFFERENCE_CHARACTERS));
    report(`DIFFERENCE ${differences.at(-1)}`);
  };
  const random = createRandom(seed);
  const events = Math.ceil(minutes * 60 * EVENTS_PER_SECOND);
  const built = await buildWorld({
    ...options,
    folder,
    events,
    eventsPerSecond: EVENTS_PER_SECOND,
    blame,
  });
  try {
    const { world, eventLog, exits } = built;
    const checking: Checking = { world, eventLog, blame };
    await checkCalm(checking);
    report('All is up: faults begin');
    const visitors = startVisitors({ ...built.visitors, random: createRandom(seed + 1), blame });
    const followers = startFollowers({ ...built.visitors, random: createRandom(seed + 5), blame });
    const faults = new Map<string, number>();
    const picker = createFaultPicker(world, { minutes, only }, createRandom(seed + 3));
    const endsAt = Date.now() + minutes * 60_000;
    let last: Checked = { records: 0, strays: 0, streams: 0, held: 0 };
    while ((Date.now() < endsAt || faults.size < kindsMin) && !signal.aborted) {
      const now = Date.now();
      const until = now < endsAt ? Math.min(endsAt, now + ROUND_MS_MAX) : now + MORE_MS;
      world.traffic.resume();
      await runFaults(world, random, { picker, until, faults, report, signal });
      await world.traffic.pause();
      await world.set.healthy();
      last = await checkCalm(checking);
      report(describeRound(last, faults, differences));
    }
    report('No more faults; the copies that clients keep are compared with the lists');
    await visitors.stop();
    const copies = await followers.finish();
    const starts = [...world.fleet.all(), ...world.readers].length;
    report(
      `${copies} copies are equal; all ${last.records} records are projected again, undisturbed`,
    );
    const documents = await checkFromScratch(checking);
    report(`${documents} documents compared`);
    for (const process of [...world.fleet.all(), ...world.readers]) await process.stop();
    const scenarios = await runScenarios({
      ...{ kafka: world.kafka, mongod: built.mongod, env: options.env, folder, exits, blame },
      ...{
        random: createRandom(seed + 4),
        count: scenariosIn(minutes, only),
        only,
        report,
        signal,
      },
    });
    const { traffic } = world;
    return {
      faults,
      leftOut: picker.leftOut,
      scenarios,
      answers: visitors.answers,
      exits,
      starts: built.starts() - starts,
      written: traffic.written(),
      aborted: traffic.aborted(),
      starved: world.weather.starved(),
      documents,
      copies,
      last,
      differences,
      folder,
    };
  } finally {
    await built.stop();
    if (differences.length === 0) await rm(folder, { recursive: true, force: true });
    else report(`What the processes printed is kept in ${folder}`);
  }
}

/** A long run includes all of them. */
function scenariosIn(minutes: number, only: string): number {
  return minutes < LONG_MINUTES_MIN && only === '' ? SCENARIOS_SHORT : Number.POSITIVE_INFINITY;
}

function describeRound(
  { records, streams, held }: Checked,
  faults: ReadonlyMap<string, number>,
  differences: readonly string[],
): string {
  const count = [...faults.values()].reduce((sum, times) => sum + times, 0);
  return `${count} faults, ${records} records, ${streams} streams (${held} held), ${differences.length} differences`;
}
