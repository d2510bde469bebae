// Projectors over a folder log of four partitions and a real mongod, for tests of the parking alarm.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import { runProjector } from '../../src/projector/projector.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import type { GenerationCollections } from '../../src/store/collections.ts';
import type { TestMongo } from '../helpers/mongo.ts';
import { memoryLog } from '../http/memory-log.ts';
import { payee } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { storeOpener, testStore } from './test-store.ts';

export const PARTITIONS = 4;

export interface PausedScene {
  readonly store: ProjectorStore;
  readonly eventLog: EventLog;
  /** The projectors that have been started. */
  readonly running: ReadonlySet<Projecting>;
  append(...events: readonly LogEvent[]): Promise<void>;
  /** Starts a projector that runs until it is stopped. */
  start(recordsMax?: number): Projecting;
  /** Resolves once the generation is paused and no checkpoint can move. */
  paused(): Promise<void>;
  /** Resolves once all events are applied. */
  caughtUp(): Promise<void>;
  nexts(): Promise<number[]>;
  countHeld(why: 'parked' | 'gap'): Promise<number>;
}

export interface Projecting {
  readonly lines: ReturnType<typeof memoryLog>['lines'];
  /** Returns whether it has ended by itself. */
  hasEnded(): boolean;
  /** Resolves once it waits for an operator. */
  waits(): Promise<void>;
  stop(): Promise<void>;
}

export async function pausedScene(t: ExecutionContext, mongo: TestMongo): Promise<PausedScene> {
  const folder = await mkdtemp(join(tmpdir(), 'budgeting-paused-'));
  const eventLog = await openFolderLog(folder, { partitions: PARTITIONS });
  const store = await testStore(mongo.client, mongo.database('paused').databaseName);
  const { collections } = store;
  const running = new Set<Projecting>();
  t.teardown(async () => {
    for (const projecting of running) await projecting.stop().catch(() => {});
    await eventLog.close();
    await rm(folder, { recursive: true, force: true });
  });
  const nextOf = async (partition: number) =>
    (await collections.checkpoints.findOne({ _id: partition }))?.next ?? 0;
  const nexts = () => Promise.all([0, 1, 2, 3].map(nextOf));
  return {
    store,
    eventLog,
    running,
    nexts,
    async append(...events) {
      await eventLog.append(
        events.map(event => ({ key: event.subject, value: JSON.stringify(event) })),
      );
    },
    start(recordsMax = 500) {
      const projecting = project({ store, eventLog, recordsMax });
      running.add(projecting);
      return projecting;
    },
    async paused() {
      await untilStopped(collections);
    },
    async caughtUp() {
      const ends = await Promise.all(
        [0, 1, 2, 3].map(async one => (await eventLog.bounds(one)).end),
      );
      const isThere = (applied: number[]) => ends.every((end, index) => applied[index] === end);
      while (!isThere(await nexts())) await sleep(20);
    },
    countHeld: why => collections.heads.countDocuments({ 'held.why': why }),
  };
}

/** The alarm comes before the marks of the checkpoints: until the last of them, a partition may go on. */
export async function untilStopped({
  alarms,
  checkpoints,
}: Pick<GenerationCollections, 'alarms' | 'checkpoints'>): Promise<void> {
  for (;;) {
    const alarm = await alarms.findOne({ _id: 'parking' });
    const isPaused = alarm?.paused != null;
    if (isPaused && (await checkpoints.countDocuments({ paused: { $ne: alarm.pauses } })) === 0)
      return;
    await sleep(20);
  }
}

interface ProjectOptions {
  readonly store: ProjectorStore;
  readonly eventLog: EventLog;
  readonly recordsMax: number;
}

function project({ store, eventLog, recordsMax }: ProjectOptions): Projecting {
  const { logger, lines } = memoryLog();
  const stopping = new AbortController();
  const openStore = storeOpener(store);
  const batch = { recordsMax, bytesMax: 1_000_000 };
  let ended = false;
  const running = runProjector(
    { openStore, eventLog, group: 'g1', logger, batch },
    stopping.signal,
  ).finally(() => {
    ended = true;
  });
  running.catch(() => {});
  return {
    lines,
    hasEnded: () => ended,
    async waits() {
      while (!lines.some(({ msg }) => msg.includes('budgeting parked resume ends it'))) {
        await Promise.race([sleep(20), running]);
      }
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Returns ids of streams in a partition; without one, in the partitions by turns. */
export function streamsOf(name: string, count: number, partition?: number): string[] {
  const found: string[] = [];
  for (let index = 0; found.length < count; index += 1) {
    const wanted = partition ?? found.length % PARTITIONS;
    if (partitionOf(`${name}-${index}`, PARTITIONS) === wanted) found.push(`${name}-${index}`);
  }
  return found;
}

/** Returns one valid event. */
export function good(stream: string): LogEvent {
  return eventMaker(stream)(CREATED);
}

/** Returns one event that parks its stream, because its budget does not exist yet. */
export function bad(stream: string): LogEvent {
  return eventMaker(stream)(payee('early'));
}
