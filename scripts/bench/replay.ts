// Replays a topic from its beginning into an empty read model, with projectors as real processes.
import type { Db } from 'mongodb';
import type { NewRecord } from '../../src/event-log/event-log.ts';
import { PARTITIONS_DEFAULT } from '../../src/event-log/kafka/topic.ts';
import { median } from './arithmetic.ts';
import type { Bench } from './bench.ts';
import { CATALOGUE_EVENTS, history, interleaved } from './history.ts';
import type { Mongod } from './mongod.ts';
import { type Running, runCli } from './processes.ts';
import { processorSeconds } from './processor-time.ts';
import { appliedRecords, checkNothingHeld, rowIndexesAreBuilt, until } from './progress.ts';
import { createTopic, environmentOf, recordsIn, type Topic } from './topic.ts';
import { BENCH_USER } from './world.ts';

export interface Replayed {
  /** From the start of the first process until the last event is committed and all indexes stand. */
  readonly seconds: number;
  /** The largest peak of any projector's memory. */
  readonly peakMegabytes: number;
  /** Microseconds of processor time per event. */
  readonly microseconds: {
    /** Of all projectors together. */
    readonly projector: number;
    readonly mongod: number;
    readonly broker: number;
  };
}

interface HistoriesOptions {
  readonly events: number;
  readonly budgets?: number;
}

/** Rarer than elsewhere, so that looking does not add to the processor time of mongod. */
const POLL_MS = 100;

/** Returns a new topic with events of many budgets. */
export async function createHistory(
  bench: Bench,
  { events, budgets = bench.sizes.replayBudgets }: HistoriesOptions,
): Promise<Topic> {
  bench.report(`Writing ${events} events`);
  const topic = await createTopic(await bench.kafka(), PARTITIONS_DEFAULT);
  await topic.append(histories(events, budgets));
  return topic;
}

/** Yields events of many budgets in turn: mostly transactions, and 10 % change or delete a row. */
export function histories(events: number, budgets: number): Iterable<NewRecord> {
  const rows = Math.ceil(events / budgets) - CATALOGUE_EVENTS;
  const each = { user: BENCH_USER, events: rows, changed: 6, deleted: 4, assigned: 3 };
  return interleaved(
    Array.from({ length: budgets }, (_, index) =>
      history({ ...each, budgetId: `budget-${index}`, spaceId: `space-${index}` }),
    ),
  );
}

/** Drops the database, and replays the topic into it. */
export async function replay(mongod: Mongod, topic: Topic, projectors = 1): Promise<Replayed> {
  const database = mongod.client.db('budgeting');
  await database.dropDatabase();
  const env = environmentOf(mongod, topic);
  const replayed = await measureReplay(mongod, topic, {
    start: async () => Array.from({ length: projectors }, () => runCli(['project'], env)),
    isDone: () => isReplayed(database, topic),
  });
  await checkNothingHeld(database);
  return replayed;
}

/** Returns whether all events are committed, and all indexes stand. */
export async function isReplayed(database: Db, topic: Topic): Promise<boolean> {
  return (
    (await appliedRecords(database)) >= recordsIn(topic) && (await rowIndexesAreBuilt(database))
  );
}

interface Programs {
  /** Their time counts from this call on, their processor time from its end on. */
  start(): Promise<Running[]>;
  isDone(): Promise<boolean>;
}

/** Starts programs that apply a topic, and stops them when they are done. */
export async function measureReplay(
  mongod: Mongod,
  topic: Topic,
  { start, isDone }: Programs,
): Promise<Replayed> {
  const pids = { mongod: mongod.pid, broker: topic.broker.pid };
  const before = {
    mongod: await processorSeconds(pids.mongod),
    broker: await processorSeconds(pids.broker),
  };
  const startedAt = performance.now();
  const running = await start();
  const earlier = await processorSecondsOf(running);
  await Promise.race([until(isDone, POLL_MS), ...running.map(({ ended }) => ended)]);
  const seconds = (performance.now() - startedAt) / 1000;
  const perEvent = (processor: number) => (processor * 1e6) / recordsIn(topic);
  const microseconds = {
    projector: perEvent((await processorSecondsOf(running)) - earlier),
    mongod: perEvent((await processorSeconds(pids.mongod)) - before.mongod),
    broker: perEvent((await processorSeconds(pids.broker)) - before.broker),
  };
  const peaks = await Promise.all(running.map(process => process.peakMegabytes()));
  await Promise.all(running.map(process => process.stop()));
  return { seconds, peakMegabytes: Math.max(...peaks), microseconds };
}

async function processorSecondsOf(running: readonly Running[]): Promise<number> {
  const each = await Promise.all(running.map(process => process.processorSeconds()));
  return each.reduce((sum, seconds) => sum + seconds, 0);
}

/** Returns the processor time per event of all processes that took part, in microseconds. */
export function processorTimeOf({ microseconds }: Replayed): number {
  return microseconds.projector + microseconds.mongod + microseconds.broker;
}

/** Returns the share of each program in that time, as text. */
export function partsOf(replays: readonly Replayed[]): string {
  return (['projector', 'mongod', 'broker'] as const)
    .map(part => `${part} ${Math.round(median(replays.map(one => one.microseconds[part])))}`)
    .join(', ');
}
