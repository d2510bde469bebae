// The time from the append of an event until it is readable, at 500 events a second.
import { setTimeout as sleep } from 'node:timers/promises';
import type { TransactionEntered } from '../../../schemas/generated/events.ts';
import { PARTITIONS_DEFAULT } from '../../../src/event-log/kafka/topic.ts';
import { percentile } from '../arithmetic.ts';
import { BARE_DATABASE } from '../bare-data.ts';
import type { Figure } from '../bench.ts';
import { stream } from '../history.ts';
import { alternate } from '../measured.ts';
import { runBare } from '../processes.ts';
import { headsName } from '../progress.ts';
import { createTopic, type Topic } from '../topic.ts';
import { type Watch, watchPositions } from '../watch.ts';
import { createWorld, positionOf } from '../world.ts';

const BUDGETS = 20;
const BURST = 10;
const BURST_MS = 20;
const WARM_UP_MS = 2000;

type Sender = ReturnType<typeof stream>;

export const live: Figure = {
  name: 'live',
  async measure(bench) {
    const world = await createWorld(bench, PARTITIONS_DEFAULT);
    const ids = Array.from({ length: BUDGETS }, (_, index) => `live-${index}`);
    for (const id of ids) await world.budget(id, 100);
    const { client } = world.database;
    const bareTopic = await createTopic(await bench.kafka(), PARTITIONS_DEFAULT);
    const env = { ...world.env, EVENTS_TOPIC: bareTopic.name };
    const consumer = runBare('consumer', env);
    await consumer.line(/^Bare/);
    const bare = client.db(BARE_DATABASE);
    for (const name of ['events', 'positions', 'checkpoints']) await bare.createCollection(name);
    const watches = {
      bare: await watchPositions(bare, 'positions'),
      world: await watchPositions(world.database, await headsName(world.database)),
    };
    const bareStreams = new Map(ids.map(id => [id, stream(id)]));
    const streams = new Map<string, Sender>();
    for (const id of ids) streams.set(id, stream(id, (await positionOf(world, id)) + 1));
    const { liveSeconds } = bench.sizes;
    const measure = (topic: Topic, senders: Map<string, Sender>, watch: Watch) => async () => {
      const target = { topic, senders, watch };
      await waits({ ...target, ms: WARM_UP_MS });
      return percentile(await waits({ ...target, ms: liveSeconds * 1000 }), 99);
    };
    const rounds = await alternate(
      3,
      measure(bareTopic, bareStreams, watches.bare),
      measure(world.topic, streams, watches.world),
    );
    await watches.bare.close();
    await watches.world.close();
    await consumer.stop();
    await bareTopic.close();
    await world.stop();
    return [
      {
        what: 'Append to readable at 500 events/s, 99th percentile',
        against: 'bare consumer, one transaction',
        unit: 'ms',
        rounds,
        goal: { ratio: { atMost: 2 } },
      },
    ];
  },
};

interface Traffic {
  readonly topic: Topic;
  /** By the subject of their stream. */
  readonly senders: ReadonlyMap<string, Sender>;
  readonly watch: Watch;
  /** How long to send. */
  readonly ms: number;
}

/** Sends events at the fixed rate, and returns the milliseconds until each was readable. */
async function waits({ topic, senders, watch, ms }: Traffic): Promise<number[]> {
  const all: Promise<number>[] = [];
  const sent: Promise<void>[] = [];
  const subjects = [...senders.keys()];
  const startedAt = performance.now();
  for (let burst = 0; burst * BURST_MS < ms; burst += 1) {
    const records = Array.from({ length: BURST }, (_, index) => {
      const subject = subjects[(burst * BURST + index) % subjects.length] ?? '';
      return senders.get(subject)?.('transaction.entered', rowData()) ?? { key: '', value: '' };
    });
    const sentAt = performance.now();
    for (const { key, value } of records) {
      const { sequence } = JSON.parse(value);
      all.push(watch.reached(key, sequence).then(at => at - sentAt));
    }
    sent.push(topic.append(records));
    await sleep(Math.max(0, startedAt + (burst + 1) * BURST_MS - performance.now()));
  }
  await Promise.all(sent);
  return await Promise.all(all);
}

let rows = 0;

function rowData(): TransactionEntered {
  rows += 1;
  return {
    transactionId: `live-row-${rows}`,
    date: '2025-12-01',
    accountId: `account-${rows % 8}`,
    categoryId: `category-${rows % 40}`,
    payeeId: `payee-${rows % 100}`,
    amount: '-12.34',
    type: 'standard',
    cleared: true,
    reconciled: false,
  };
}
