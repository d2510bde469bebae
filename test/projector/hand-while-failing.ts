// Hands a log to a pipeline batch by batch, on a server whose commands fail at random.
import type { Random } from '../histories/random.ts';
import type { UsedFailingMongo } from './failing-mongo.ts';
import { hand, pipelineOf } from './hand-over.ts';
import type { PartitionScene } from './partition-scene.ts';

interface Failure {
  readonly commands: readonly string[];
  readonly how: object;
}

/** Ways in which commands fail. */
export const FAILURES = {
  commitRefused: { commands: ['commitTransaction'], how: { errorCode: 10107 } },
  writeConflict: {
    commands: ['insert', 'update'],
    how: { errorCode: 112, errorLabels: ['TransientTransactionError'] },
  },
  findRefused: { commands: ['find'], how: { errorCode: 10107 } },
  connectionClosed: { commands: ['insert'], how: { closeConnection: true } },
  /** The commit takes place. */
  commitUnconfirmed: {
    commands: ['commitTransaction'],
    how: { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } },
  },
} as const satisfies Record<string, Failure>;

export interface HandOptions {
  /** Number of records in the log. */
  readonly records: number;
  readonly random: Random;
  readonly failures: readonly Failure[];
  /** How likely some commands fail from the next batch on, 0 to 1. */
  readonly chance: number;
  /** Records of a batch, from the least to the most. */
  readonly batch: readonly [least: number, most: number];
}

/**
 * Hands over all records, then heals the server and lets the pipeline sweep. Returns how often it went back, and after
 * how many batches chunks shared a transaction.
 */
export async function handWhileFailing(
  scene: PartitionScene,
  mongo: UsedFailingMongo,
  { records, random, failures, chance, batch }: HandOptions,
): Promise<{ back: number; shared: number }> {
  const pipeline = await pipelineOf(scene);
  let [back, shared] = [0, 0];
  for (let next = 0; next < records; ) {
    const { commands, how } = random.pick(failures);
    if (random.chance(chance)) await mongo.fail(random.between(1, 3), commands, how);
    const outcome = await hand(pipeline, scene, { from: next, count: random.between(...batch) });
    if (typeof outcome !== 'number')
      throw new Error(`Expected a next offset, got ${outcome} at ${next}`);
    if (outcome < next) back += 1;
    if (pipeline.phase === 'sharing') shared += 1;
    next = outcome;
  }
  await mongo.heal();
  // A sweep that failed is tried again with the next one.
  scene.context.shadowSets.sweep();
  await scene.context.shadowSets.idle();
  return { back, shared };
}
