// Replays a topic from its beginning into an empty read model, with projectors as real processes.
import { PARTITIONS_DEFAULT } from '../../src/event-log/kafka/topic.ts';
import type { Bench } from './bench.ts';
import { CATALOGUE_EVENTS, history, interleaved } from './history.ts';
import type { Mongod } from './mongod.ts';
import { runCli } from './processes.ts';
import { appliedOf, checkNothingHeld, until } from './progress.ts';
import { createTopic, type Topic } from './topic.ts';
import { USER } from './world.ts';

export interface Replayed {
  /** From the start of the first process to the last event's commit. */
  readonly seconds: number;
  /** The largest peak of any projector's memory. */
  readonly peakMegabytes: number;
}

/** Returns a new topic with events of many budgets: mostly transactions, and 10 % change or delete a row. */
export async function createHistory(
  bench: Bench,
  {
    events,
    partitions = PARTITIONS_DEFAULT,
  }: { readonly events: number; readonly partitions?: number },
): Promise<Topic> {
  bench.report(`Writing ${events} events`);
  const topic = await createTopic(await bench.kafka(), partitions);
  const budgets = bench.sizes.replayBudgets;
  const rows = Math.ceil(events / budgets) - CATALOGUE_EVENTS;
  const each = { user: USER, events: rows, changed: 6, deleted: 4, assigned: 3 };
  const histories = Array.from({ length: budgets }, (_, index) =>
    history({ ...each, budgetId: `budget-${index}`, spaceId: `space-${index}` }),
  );
  await topic.append(interleaved(histories));
  return topic;
}

/** Drops the database, and replays the topic into it. */
export async function replay(mongod: Mongod, topic: Topic, projectors = 1): Promise<Replayed> {
  const database = mongod.client.db('budgeting');
  await database.dropDatabase();
  const total = topic.ends.reduce((sum, end) => sum + end, 0);
  const env = { MONGODB_URL: mongod.url, KAFKA_BROKERS: topic.brokers, EVENTS_TOPIC: topic.name };
  const startedAt = performance.now();
  const running = Array.from({ length: projectors }, () => runCli(['project'], env));
  await until(async () => (await appliedOf(database)) >= total);
  const seconds = (performance.now() - startedAt) / 1000;
  const peaks = await Promise.all(running.map(process => process.peakMegabytes()));
  await Promise.all(running.map(process => process.stop()));
  await checkNothingHeld(database);
  return { seconds, peakMegabytes: Math.max(...peaks) };
}
