// Producers: a long random history is written into the topic bit by bit, by transactions, with all that they may do.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, Partitioners, type Producer } from 'kafkajs';
import type { KafkaConfig } from '../../src/config.ts';
import { partitionOf } from '../../src/event-log/partition-of.ts';
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
  /** Records that were committed, those of aborted transactions not counted. */
  written(): number;
  aborted(): number;
  /** Events of the history that were committed at least once. */
  told(): number;
  /** Writes these too, in order, as soon as it can. */
  inject(messages: readonly Message[]): void;
  /** Some that were written before, in any order. */
  earlier(count: number): Message[];
  /** Some of those that are still to be written; of the near future. */
  later(count: number): Message[];
  /** The next so many events come in any order. */
  shuffle(count: number): void;
  /** Begins to write, or goes on. */
  go(): void;
  /** Writes nothing more until `go`; resolves once all that is in hand is written. */
  rest(): Promise<void>;
  stop(): Promise<void>;
}

const STEP_MS = 200;
const SEND_MAX = 300;
const RETRY_MS = 500;
/** A request to a broker that vanished may never be answered: beyond this it is made again. */
const WRITE_MS_MAX = 60_000;
const DROP_MS_MAX = 5000;
/** So many events from now they are not in hand yet. */
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
  let told = 0;
  let shuffled = 0;
  let budget = 0;
  let resting = true;
  let busy = Promise.resolve();
  const step = async () => {
    await writer.write(injected.splice(0, SEND_MAX));
    if (resting) return;
    budget += (eventsPerSecond * STEP_MS) / 1000;
    const size = shuffled > 0 ? shuffled : Math.min(SEND_MAX, Math.floor(budget));
    const some = messages.slice(told, told + size);
    await writer.write(shuffled > 0 ? random.some(some, some.length) : some);
    shuffled = 0;
    budget = Math.max(0, budget - some.length);
    told += some.length;
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
    told: () => told,
    inject: some => void injected.push(...some),
    earlier: count =>
      Array.from({ length: told && count }, () => messages[random.below(told)] as Message),
    later: count => messages.slice(told + LATER, told + LATER + count),
    shuffle(count) {
      shuffled = count;
    },
    async rest() {
      resting = true;
      await busy;
      while (injected.length > 0) await sleep(STEP_MS);
      await busy;
    },
    go() {
      resting = false;
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

async function failed(afterMs: number): Promise<never> {
  await sleep(afterMs, undefined, { ref: false });
  throw new Error('Not written in time');
}

function createWriter({ kafka, topic, random }: TrafficOptions) {
  const client = plainClient(kafka);
  const transactionalId = topicName();
  const counts = { written: 0, aborted: 0 };
  let producer: Producer | null = null;
  const drop = async () => {
    const dropped = producer;
    producer = null;
    // kafkajs may wait for ever for what a broker that froze never answered.
    await Promise.race([dropped?.disconnect().catch(() => {}), sleep(DROP_MS_MAX)]);
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
    /** Until it is known to be committed: what a broker's failure leaves unknown is written again. */
    async write(messages: readonly Message[]) {
      if (messages.length === 0) return;
      for (let abort = random.chance(ABORTS); ; ) {
        try {
          await Promise.race([tryToWrite(messages, abort), failed(WRITE_MS_MAX)]);
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
