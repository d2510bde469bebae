// A group member that only gets partitions assigned and fetches nothing: kafkajs' consumer, always paused.
import type { Consumer } from 'kafkajs';
import type { Logger } from '../../process/log.ts';
import { delay, unlessAborted, waitAtMost } from '../../process/waiting.ts';
import { explained, isTransientKafkaError } from './failure.ts';
import type { KafkaClient } from './kafka-client.ts';
import { createLagReport } from './lag-report.ts';
import { type BrokerRetryOptions, retryUntilAnswered } from './servers.ts';

export interface MemberOptions {
  /** Each consumer gets its own client, which is closed with it. */
  readonly newClient: () => KafkaClient;
  readonly topic: string;
  readonly group: string;
  readonly retryOptions: BrokerRetryOptions;
  /** A member that sends no heartbeat for longer loses its partitions to others. */
  readonly sessionTimeoutMs: number;
  /** Called at each join with all partitions assigned to this member from now on. */
  readonly onAssigned: (partitions: readonly number[]) => void;
}

export interface Member {
  /**
   * Joins, rejoins after each transient failure, and leaves when the signal aborts, so that the group reassigns the
   * partitions at once. Rejects on errors that no retry can fix.
   */
  run(signal: AbortSignal): Promise<void>;
  /**
   * When the group last confirmed that this process is a member (epoch milliseconds). It is the time of the request,
   * because a process may be frozen between the response and its handling.
   */
  confirmedAt(): number;
  /** Commits the offset for lag tools; this program never reads it. */
  reportLag(partition: number, next: number): void;
}

const HEARTBEAT_SHARE = 1 / 10;
const REBALANCE_TIMEOUT_MS = 60_000;
const POLL_MS = 250;
const METADATA_AGE_MS_MAX = 30_000;
const REJOIN_MS_MIN = 100;
const REJOIN_MS_MAX = 3000;
const FLUSH_MS_MAX = 500;
/** Leaving does not wait longer: brokers time out silent members on their own. */
const LEAVE_MS_MAX = 2000;
/** The first failures after a join are ordinary (a coordinator moves or loads): only this one logs a warning. */
const FAILURES_WARNED = 3;

export function createMember(options: MemberOptions): Member {
  const { topic, retryOptions } = options;
  const lagReport = createLagReport(topic, retryOptions.logger);
  const state: MemberState = { requestedAt: 0, confirmedAt: 0, memberId: '', failures: 0 };
  const onAssigned = (partitions: readonly number[]) => {
    lagReport.own(partitions);
    options.onAssigned(partitions);
  };
  return {
    async run(signal) {
      while (!signal.aborted) {
        const client = options.newClient();
        const consumer = createConsumer(options, client);
        const crash = watch(consumer, { ...options, onAssigned }, state);
        try {
          await retryUntilAnswered(() => connect(consumer, topic), retryOptions, signal);
          lagReport.use(consumer);
          // Each join pauses it (see `watch`), so it never receives a batch.
          const running = consumer.run({ autoCommit: false, eachBatch: async () => {} });
          await unlessAborted(
            running.then(() => crash),
            signal,
          );
        } catch (error) {
          if (!isTransientKafkaError(error)) throw explained(error, retryOptions.name);
          countFailure(error as Error, state, retryOptions.logger);
          await delay(rejoinDelayMs(state), signal);
        } finally {
          await waitAtMost(FLUSH_MS_MAX, lagReport.flush());
          lagReport.use(null);
          await waitAtMost(LEAVE_MS_MAX, consumer.disconnect());
          // A consumer that disconnects while it joins would stay a member, and keep partitions that nobody follows.
          client.end();
        }
      }
    },
    confirmedAt: () => state.confirmedAt,
    reportLag: lagReport.set,
  };
}

interface MemberState {
  /** When the last request was sent that succeeds for members only (epoch milliseconds). */
  requestedAt: number;
  confirmedAt: number;
  /** The id that the group gave this process at the last join. */
  memberId: string;
  /** Failures since the last join. */
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
    // kafkajs does not restart after every transient failure, so it never does: `run` creates a new consumer.
    retry: { retries: 4, restartOnFailure: async () => false },
  });
}

async function connect(consumer: Consumer, topic: string): Promise<void> {
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
}

/** Keeps the state up to date, and reports assignments. The returned promise rejects when the consumer crashes. */
function watch(consumer: Consumer, options: MemberOptions, state: MemberState): Promise<never> {
  const { topic, onAssigned, retryOptions } = options;
  const { HEARTBEAT, GROUP_JOIN, CRASH, REQUEST } = consumer.events;
  consumer.on(REQUEST, ({ payload: { apiName, sentAt } }) => {
    if (apiName === 'Heartbeat' || apiName === 'SyncGroup') state.requestedAt = sentAt;
  });
  consumer.on(HEARTBEAT, () => {
    state.confirmedAt = state.requestedAt;
  });
  consumer.on(GROUP_JOIN, ({ payload: { memberAssignment, memberId } }) => {
    // Runs before the first fetch.
    consumer.pause([{ topic }]);
    state.confirmedAt = state.requestedAt;
    state.failures = 0;
    const partitions = memberAssignment[topic] ?? [];
    retryOptions.logger.debug(
      { partitions, memberId },
      'The consumer group has shared partitions out',
    );
    // A new id means that the group had dropped this member: others may have had its partitions meanwhile.
    if (memberId !== state.memberId) onAssigned([]);
    state.memberId = memberId;
    onAssigned(partitions);
  });
  const crash = new Promise<never>((_, reject) => {
    consumer.on(CRASH, ({ payload: { error } }) => reject(error));
  });
  crash.catch(() => {});
  return crash;
}

function countFailure({ message }: Error, state: MemberState, logger: Logger): void {
  state.failures += 1;
  const level = state.failures === FAILURES_WARNED ? 'warn' : 'debug';
  logger[level]({ reason: message }, 'Joining the consumer group again');
}

function rejoinDelayMs({ failures }: MemberState): number {
  return Math.min(REJOIN_MS_MAX, REJOIN_MS_MIN * 2 ** (failures - 1));
}
