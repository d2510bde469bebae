// A member of a consumer group that shares partitions out and fetches nothing: kafkajs' consumer, always paused.

import type { Consumer } from 'kafkajs';
import { delay } from '../../delay.ts';
import { settledWithin } from '../../settled-within.ts';
import { aborted } from './aborted.ts';
import { explained, isPassing } from './failure.ts';
import { createHints } from './hints.ts';
import type { KafkaClient } from './kafka-client.ts';
import { answered, type Patience } from './servers.ts';

export interface MemberOptions {
  /** Each consumer has a client of its own, to be ended with it. */
  readonly newClient: () => KafkaClient;
  readonly topic: string;
  readonly group: string;
  readonly patience: Patience;
  /** Silence after which the group gives a member's partitions to others. */
  readonly sessionTimeoutMs: number;
  /** Told at each join: all partitions that are this member's from now on. */
  readonly onShare: (partitions: readonly number[]) => void;
}

export interface Member {
  /**
   * Joins, joins again after each failure that may pass, and leaves when the signal aborts: the partitions then go
   * to others at once. Rejects on what no waiting mends.
   */
  run(signal: AbortSignal): Promise<void>;
  /**
   * When the group last confirmed that this process is a member (epoch milliseconds): the time at which the question
   * was sent, for a process may be stopped between an answer and its reading.
   */
  confirmedAt(): number;
  /** Leaves the offset where lag tools look for it; it decides nothing. */
  hint(partition: number, next: number): void;
}

const HEARTBEAT_SHARE = 1 / 10;
const REBALANCE_TIMEOUT_MS = 60_000;
const POLL_MS = 250;
const METADATA_AGE_MS_MAX = 30_000;
const REJOIN_MS_MIN = 100;
const REJOIN_MS_MAX = 3000;
const FLUSH_MS_MAX = 500;
/** Servers that do not answer a goodbye find out by themselves. */
const LEAVE_MS_MAX = 2000;
const FAILURES_TOLD = 3;

export function createMember(options: MemberOptions): Member {
  const { topic, patience } = options;
  const hints = createHints(topic, patience.log);
  const state: State = { askedAt: 0, confirmedAt: 0, knownAs: '', failures: 0 };
  return {
    async run(signal) {
      while (!signal.aborted) {
        const client = options.newClient();
        const consumer = createConsumer(options, client);
        const crash = watch(consumer, options, state);
        try {
          await answered(() => connect(consumer, topic), patience, signal);
          hints.use(consumer);
          // What starts it pauses it too (see `watch`), so there is never a batch.
          const running = consumer.run({ autoCommit: false, eachBatch: async () => {} });
          await Promise.race([running.then(() => crash), aborted(signal)]);
        } catch (error) {
          if (!isPassing(error)) throw explained(error, patience.name);
          await pauseAfter(error as Error, state, patience, signal);
        } finally {
          await settledWithin(FLUSH_MS_MAX, hints.flush());
          await settledWithin(LEAVE_MS_MAX, consumer.disconnect());
          // One that was told to while it joined would stay a member, and keep partitions for nobody.
          client.end();
        }
      }
    },
    confirmedAt: () => state.confirmedAt,
    hint: hints.set,
  };
}

interface State {
  /** When the last question was sent that only a member gets a good answer to. */
  askedAt: number;
  confirmedAt: number;
  /** The name that the group knows this process by. */
  knownAs: string;
  /** Since the last join. */
  failures: number;
}

function createConsumer(
  { group, sessionTimeoutMs }: MemberOptions,
  { kafka }: KafkaClient,
): Consumer {
  return kafka.consumer({
    groupId: group,
    sessionTimeout: sessionTimeoutMs,
    rebalanceTimeout: Math.max(REBALANCE_TIMEOUT_MS, sessionTimeoutMs),
    heartbeatInterval: Math.round(sessionTimeoutMs * HEARTBEAT_SHARE),
    maxWaitTimeInMs: Math.min(POLL_MS, sessionTimeoutMs * HEARTBEAT_SHARE),
    metadataMaxAge: METADATA_AGE_MS_MAX,
    allowAutoTopicCreation: false,
    // kafkajs would not restart after all failures that pass, so it never does: `run` makes a new consumer.
    retry: { retries: 4, restartOnFailure: async () => false },
  });
}

async function connect(consumer: Consumer, topic: string): Promise<void> {
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
}

/** Rejects when the consumer ends by itself. */
function watch(consumer: Consumer, options: MemberOptions, state: State): Promise<never> {
  const { topic, onShare, patience } = options;
  const { HEARTBEAT, GROUP_JOIN, CRASH, REQUEST } = consumer.events;
  consumer.on(REQUEST, ({ payload: { apiName, sentAt } }) => {
    if (apiName === 'Heartbeat' || apiName === 'SyncGroup') state.askedAt = sentAt;
  });
  consumer.on(HEARTBEAT, () => {
    state.confirmedAt = state.askedAt;
  });
  consumer.on(GROUP_JOIN, ({ payload: { memberAssignment, memberId } }) => {
    // Before the first fetch.
    consumer.pause([{ topic }]);
    state.confirmedAt = state.askedAt;
    state.failures = 0;
    const partitions = memberAssignment[topic] ?? [];
    patience.log.debug({ partitions, memberId }, 'The consumer group has shared partitions out');
    // Under a new name it was forgotten meanwhile: others may have had its partitions.
    if (memberId !== state.knownAs) onShare([]);
    state.knownAs = memberId;
    onShare(partitions);
  });
  const crash = new Promise<never>((_, reject) => {
    consumer.on(CRASH, ({ payload: { error } }) => reject(error));
  });
  crash.catch(() => {});
  return crash;
}

async function pauseAfter(
  error: Error,
  state: State,
  { log }: Patience,
  signal: AbortSignal,
): Promise<void> {
  const pauseMs = Math.min(REJOIN_MS_MAX, REJOIN_MS_MIN * 2 ** state.failures);
  state.failures += 1;
  // The first failures after a join are everyday: a coordinator that moves or loads.
  const level = state.failures === FAILURES_TOLD ? 'warn' : 'debug';
  log[level]({ reason: error.message }, 'Joining the consumer group again');
  await delay(pauseMs, signal);
}
