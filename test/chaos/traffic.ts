// Producers: they write a long random history into the topic, step by step and in transactions, some of them aborted.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, Partitioners, type Producer } from 'kafkajs';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import type { KafkaConfig } from '../../src/process/config.ts';
import { plainClient, topicName } from '../helpers/kafka.ts';
import { type HistoryEntry, randomHistory } from '../histories/history.ts';
import type { Random } from '../histories/random.ts';

export interface TrafficOptions {
  readonly kafka: KafkaConfig;
  readonly topic: string;
  readonly partitions: number;
  readonly history: readonly HistoryEntry[];
  readonly eventsPerSecond: number;
  readonly random: Random;
}

export interface Traffic {
  readonly subjects: ReadonlySet<string>;
  /** The number of committed records. */
  written(): number;
  aborted(): number;
  /** The number of events of the history that were committed at least once. */
  delivered(): number;
  /** Queues these too, in order. */
  inject(messages: readonly Message[]): void;
  /** Returns some earlier messages, in any order. */
  earlier(count: number): Message[];
  /** Returns some of the messages that will be written soon. */
  later(count: number): Message[];
  /** Shuffles the next events. */
  shuffle(count: number): void;
  /** Begins or continues to write. */
  resume(): void;
  /** Stops until `resume`; resolves once the messages in hand are written. */
  pause(): Promise<void>;
  stop(): Promise<void>;
}

const STEP_MS = 200;
const SEND_MAX = 300;
const RETRY_MS = 500;
const WRITE_MS_MAX = 30_000;
/** Events this far ahead are not in hand yet. */
const LATER = 500;
const ABORTS = 0.05;

export function longHistory(seed: number, events: number): HistoryEntry[] {
  return randomHistory({
    seed,
    events,
    budgets: Math.max(12, Math.ceil(events / 1500)),
    spaces: 4,
    users: 5,
    wildNames: true,
    invalidShare: 0.0003,
    disorderShare: 0.01,
    duplicateShare: 0.01,
  });
}

export function startTraffic(options: TrafficOptions): Traffic {
  const { history, eventsPerSecond, random, partitions } = options;
  const messages = history.map(({ event }) => messageOf(event.subject, event, partitions));
  const writer = createWriter(options);
  const injected: Message[] = [];
  const stopping = new AbortController();
  let delivered = 0;
  let shuffled = 0;
  let budget = 0;
  let paused = true;
  let busy = Promise.resolve();
  const step = async () => {
    await writer.write(injected.splice(0, SEND_MAX));
    if (paused) return;
    budget += (eventsPerSecond * STEP_MS) / 1000;
    const size = shuffled > 0 ? shuffled : Math.min(SEND_MAX, Math.floor(budget));
    const some = messages.slice(delivered, delivered + size);
    await writer.write(shuffled > 0 ? random.some(some, some.length) : some);
    shuffled = 0;
    budget = Math.max(0, budget - some.length);
    delivered += some.length;
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      busy = step();
      await busy;
      await sleep(STEP_MS);
    }
  };
  const running = run();
  return {
    subjects: new Set(history.map(({ event }) => event.subject)),
    written: () => writer.counts.written,
    aborted: () => writer.counts.aborted,
    delivered: () => delivered,
    inject: some => void injected.push(...some),
    earlier: count =>
      Array.from(
        { length: delivered && count },
        () => messages[random.below(delivered)] as Message,
      ),
    later: count => messages.slice(delivered + LATER, delivered + LATER + count),
    shuffle(count) {
      shuffled = count;
    },
    async pause() {
      paused = true;
      await busy;
      while (injected.length > 0) await sleep(STEP_MS);
      await busy;
    },
    resume() {
      paused = false;
    },
    async stop() {
      stopping.abort();
      await running;
      await writer.stop();
    },
  };
}

export function messageOf(subject: string, event: object, partitions: number): Message {
  const partition = partitionOf(subject, partitions);
  return { key: subject, value: JSON.stringify(event), partition };
}

/** kafkajs may wait for ever for a broker that crashed; the next producer with the same id fences the hanging one. */
async function inTime<T>(operation: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = sleep(WRITE_MS_MAX, undefined, { signal: timer.signal }).then(() => {
    throw new Error('The broker did not answer in time');
  });
  try {
    return await Promise.race([operation, late]);
  } finally {
    timer.abort();
    late.catch(() => {});
    operation.catch(() => {});
  }
}

function createWriter({ kafka, topic, random }: TrafficOptions) {
  const client = plainClient(kafka);
  const transactionalId = topicName();
  const counts = { written: 0, aborted: 0 };
  let producer: Producer | null = null;
  const drop = async () => {
    const dropped = producer;
    producer = null;
    if (dropped) await inTime(dropped.disconnect()).catch(() => {});
  };
  const connected = async () => {
    if (producer) return producer;
    const made = client.producer({
      transactionalId,
      transactionTimeout: 10_000,
      maxInFlightRequests: 1,
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    await made.connect();
    producer = made;
    return made;
  };
  const tryToWrite = async (messages: readonly Message[], abort: boolean) => {
    const transaction = await (await connected()).transaction();
    await transaction.send({ topic, messages: [...messages] });
    if (abort) await transaction.abort();
    else await transaction.commit();
  };
  return {
    counts,
    /** Retries until the commit is known to have succeeded. */
    async write(messages: readonly Message[]) {
      if (messages.length === 0) return;
      for (let abort = random.chance(ABORTS); ; ) {
        try {
          await inTime(tryToWrite(messages, abort));
          counts[abort ? 'aborted' : 'written'] += messages.length;
          if (!abort) return;
          abort = false;
        } catch {
          await drop();
          await sleep(RETRY_MS);
        }
      }
    },
    stop: drop,
  };
}
