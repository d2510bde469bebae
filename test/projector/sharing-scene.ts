// Partitions of a projector whose commands may fail, and pipelines of one that is far behind, whose first chunks share a
// transaction.
import { SHARING_LIMITS } from '../../src/projector/machine/machine-state.ts';
import type { Pipeline } from '../../src/projector/partition/pipeline.ts';
import type { UsedFailingMongo } from './failing-mongo.ts';
import { hand, pipelineOf } from './hand-over.ts';
import { createPartitionScene, type PartitionScene, type SceneOptions } from './partition-scene.ts';
import { dump } from './test-store.ts';

/** A tenth of the records that are live traffic in production, so that a log with much more is soon written. */
export const LIMITS = { ...SHARING_LIMITS, liveMax: 50 };

/** More records than live traffic brings at once. */
export const LARGE = 60;

/** A transaction stays open while a slow machine takes its time; still below its lifetime on the server. */
export const PATIENT_LIMITS = { ...LIMITS, idleMsMax: 50_000 };

export async function storedNext({ store }: PartitionScene): Promise<number | undefined> {
  return (await store.collections.checkpoints.findOne({ _id: 0 }))?.next;
}

/** Hands over everything from an offset on. */
export async function handRest(pipeline: Pipeline, scene: PartitionScene, from: number) {
  const { length } = scene.eventLog.records;
  for (let next = from; next < length; ) {
    const outcome = await hand(pipeline, scene, { from: next, count: LARGE });
    if (typeof outcome !== 'number') throw new Error(`The outcome is ${outcome}`);
    next = outcome;
  }
}

/** Returns a partition of a projector whose commands may fail. */
export async function harmedScene(
  mongo: UsedFailingMongo,
  events: readonly object[],
  options: SceneOptions = {},
): Promise<PartitionScene> {
  const scene = await createPartitionScene(mongo.database('harmed'), {
    client: mongo.harmed,
    ...options,
  });
  scene.eventLog.add(...events);
  return scene;
}

/** Returns the documents of a projector that nothing disturbs. */
export async function undisturbed(
  mongo: UsedFailingMongo,
  events: readonly object[],
): Promise<string[]> {
  const scene = await createPartitionScene(mongo.database('undisturbed'));
  await scene.tell(...events);
  return dump(scene.store);
}

export function sharingIn(mongo: UsedFailingMongo) {
  const dumps = new Map<string, Promise<string[]>>();
  const sceneOf = (events: readonly object[], options: SceneOptions = {}) =>
    harmedScene(mongo, events, { sharing: PATIENT_LIMITS, ...options });
  return {
    sceneOf,
    /** Returns a scene whose first two chunks are parts of an open transaction. */
    async sharing(events: readonly object[], options: SceneOptions = {}) {
      const scene = await sceneOf(events, options);
      const pipeline = await pipelineOf(scene);
      await hand(pipeline, scene, { from: 0, count: LARGE });
      await hand(pipeline, scene, { from: LARGE, count: LARGE });
      return { scene, pipeline };
    },
    /** The same events are projected once for all tests of a file. */
    undisturbed(events: readonly object[]): Promise<string[]> {
      const key = JSON.stringify(events);
      const dumped = dumps.get(key) ?? undisturbed(mongo, events);
      dumps.set(key, dumped);
      return dumped;
    },
  };
}
