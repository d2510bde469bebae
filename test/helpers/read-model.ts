// A generation of the read model whose contents a test states as events: the projector folds and stores them.
import type { Db } from 'mongodb';
import { PROJECTIONS_VERSION } from '../../projections/version.ts';
import { completeIndexes } from '../../src/store/collections.ts';
import { switched, withNew } from '../../src/store/generation-plan.ts';
import { changeRegistry } from '../../src/store/registry.ts';
import type { Draft } from '../histories/row-actions.ts';
import type { LogEvent } from '../model/stream.ts';
import { eventMaker } from '../projections/story.ts';
import { createPartitionScene, type PartitionScene } from '../projector/partition-scene.ts';

/** An event. Fields of the envelope that a test does not set get plain values. */
type Given = Draft & Partial<LogEvent>;

export interface ReadModel extends Pick<PartitionScene, 'store' | 'context'> {
  /** Applies the next events of a stream. Rejects if one of them holds the stream. */
  project(subject: string, ...events: readonly Given[]): Promise<void>;
  /** Delivers an event that holds its stream: an invalid one, or one whose sequence leaves a gap. */
  hold(subject: string, event: Given): Promise<void>;
  /** Makes it the generation that answers. */
  activate(): Promise<void>;
}

/** Creates the next generation of a database. It is empty, and not active yet. */
export async function createReadModel(db: Db, version = PROJECTIONS_VERSION): Promise<ReadModel> {
  const begun = await changeRegistry(db, registry => withNew(registry, version, new Date()));
  const generation = `g${begun.made}`;
  const { store, context, eventLog, project, head } = await createPartitionScene(db, {
    generation,
  });
  await completeIndexes(store.collections);
  const makers = new Map<string, ReturnType<typeof eventMaker>>();
  let projected: Promise<unknown> = Promise.resolve();

  /** Returns why the stream is held after the events, null if it is not. */
  async function deliver(subject: string, events: readonly Given[]): Promise<string | null> {
    const eventOf = makers.get(subject) ?? eventMaker(subject);
    makers.set(subject, eventOf);
    eventLog.add(...events.map(event => eventOf(event, event)));
    // Each call claims the partition, so calls at the same time take turns.
    projected = projected.then(project);
    await projected;
    return (await head(subject))?.held?.reason ?? null;
  }

  return {
    store,
    context,
    async project(subject, ...events) {
      const reason = await deliver(subject, events);
      if (reason !== null) throw new Error(`${subject} is held: ${reason}`);
    },
    async hold(subject, event) {
      const reason = await deliver(subject, [event]);
      if (reason === null) throw new Error(`Expected ${event.type} to hold ${subject}`);
    },
    async activate() {
      await changeRegistry(db, registry => switched(registry, generation, new Date()));
    },
  };
}
