// Runs one scenario after the other, in the order that the seed gives.
import { startMongo } from '../../helpers/mongo.ts';
import { createRandom, type Random } from '../../histories/random.ts';
import { DAMAGED_LOG } from './damaged-log.ts';
import { PARKING_ALARM } from './parking-alarm.ts';
import type { Scenario } from './scenario.ts';
import { createStage, type StageOptions } from './stage.ts';

const SCENARIOS: readonly Scenario[] = [...DAMAGED_LOG, PARKING_ALARM];

export interface ScenariosOptions extends Omit<StageOptions, 'mongo' | 'random'> {
  readonly mongod: string;
  readonly random: Random;
  /** The maximum number of scenarios. */
  readonly count: number;
  readonly only: string;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Returns the names of the scenarios that ran, and of those left out. */
export async function runScenarios(
  options: ScenariosOptions,
): Promise<{ readonly run: readonly string[]; readonly left: readonly string[] }> {
  const { random, count, only, report, signal, mongod } = options;
  const asked = SCENARIOS.filter(({ name }) => name.includes(only));
  const chosen = random.some(asked, count);
  const left = asked.filter(scenario => !chosen.includes(scenario)).map(({ name }) => name);
  const run: string[] = [];
  if (chosen.length === 0) return { run, left };
  const mongo = await startMongo({ MONGOMS_SYSTEM_BINARY: mongod });
  try {
    for (const scenario of chosen) {
      if (signal.aborted) break;
      report(scenario.name);
      run.push(scenario.name);
      await runOne(scenario, { ...options, mongo, random: createRandom(random.below(2 ** 31)) });
    }
  } finally {
    await mongo.stop();
  }
  return { run, left };
}

async function runOne({ name, run }: Scenario, options: StageOptions): Promise<void> {
  const blame = (what: string) => options.blame(`${name}: ${what}`);
  try {
    const stage = await createStage({ ...options, blame });
    try {
      await run(stage, options.random);
    } finally {
      await stage.stop();
    }
  } catch (error) {
    blame((error as Error).stack ?? String(error));
  }
}
