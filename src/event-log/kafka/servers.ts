// Requests to the brokers: retried until they succeed, over one connection that is replaced after a failure.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from 'kafkajs';
import { UserError } from '../../process/errors.ts';
import type { Logger } from '../../process/log.ts';
import { causeOf, explained, isTransientKafkaError, isUnknownTopic } from './failure.ts';

export interface BrokerRetryOptions {
  /** For messages: "topic …". */
  readonly name: string;
  readonly logger: Logger;
  /** How long to wait for silent brokers before failing; infinite for a process that must outlast their outages. */
  readonly waitMsMax: number;
}

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 3000;
const REPORT_FIRST_MS = 1000;
const REPORT_EVERY_MS = 30_000;
/** A new topic takes a while to be known to every broker; after this time an unknown topic counts as missing. */
const UNKNOWN_TOPIC_MS_MAX = 15_000;

/**
 * Retries `run` after transient errors until it succeeds. Logs a warning while it waits.
 *
 * @throws UserError after `waitMsMax`, for a missing topic, and for errors that a person must fix
 * @throws the last error of `run` once the signal aborts, and any error that is not transient
 */
export async function retryUntilAnswered<T>(
  run: () => Promise<T>,
  { name, logger, waitMsMax }: BrokerRetryOptions,
  signal?: AbortSignal,
): Promise<T> {
  const begunMs = performance.now();
  let reportAtMs = REPORT_FIRST_MS;
  for (let waitMs = RETRY_MS_MIN; ; waitMs = Math.min(waitMs * 2, RETRY_MS_MAX)) {
    try {
      return await run();
    } catch (error) {
      if (!isTransientKafkaError(error) || signal?.aborted) throw explained(error, name);
      const waitedMs = performance.now() - begunMs;
      const { message } = causeOf(error);
      if (isUnknownTopic(error) && waitedMs > Math.min(UNKNOWN_TOPIC_MS_MAX, waitMsMax)) {
        throw new UserError(`There is no ${name}`, { cause: error });
      }
      if (waitedMs > waitMsMax) {
        throw new UserError(`Kafka does not answer (${name}): ${message}`, { cause: error });
      }
      if (waitedMs >= reportAtMs) {
        logger.warn(
          { waitedSeconds: Math.round(waitedMs / 1000) },
          `Waiting for Kafka: ${message}`,
        );
        reportAtMs = waitedMs + REPORT_EVERY_MS;
      }
      await sleep(waitMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
    }
  }
}

export interface Servers {
  /** Sends the request until it succeeds, so it may run several times. */
  ask<T>(request: ServerRequest<T>, signal?: AbortSignal): Promise<T>;
  /** Sends the request once. */
  tryOnce<T>(request: ServerRequest<T>): Promise<T>;
  close(): Promise<void>;
}

type ServerRequest<T> = (cluster: Cluster) => Promise<T>;

export function createServers(
  connect: () => Promise<Cluster>,
  retryOptions: BrokerRetryOptions,
): Servers {
  const closing = new AbortController();
  let current: Connection | null = null;
  const tryOnce = async <T>(request: ServerRequest<T>): Promise<T> => {
    closing.signal.throwIfAborted();
    current ??= createConnection(connect());
    const used = current;
    try {
      return await used.run(request);
    } catch (error) {
      // kafkajs may keep outdated addresses of lost brokers: the next attempt connects from scratch.
      if (isTransientKafkaError(error)) {
        if (current === used) current = null;
        used.drop().catch(() => {});
      }
      throw error;
    }
  };
  return {
    tryOnce,
    ask: (request, signal) =>
      retryUntilAnswered(() => tryOnce(request), retryOptions, signal ?? closing.signal),
    async close() {
      closing.abort(new UserError(`The connection to ${retryOptions.name} was closed`));
      await current?.drop();
    },
  };
}

interface Connection {
  run<T>(request: ServerRequest<T>): Promise<T>;
  /** Disconnects after the requests in progress, because kafkajs would reconnect for them. */
  drop(): Promise<void>;
}

function createConnection(opening: Promise<Cluster>): Connection {
  const pending = new Set<Promise<unknown>>();
  return {
    async run(request) {
      const response = opening.then(request);
      pending.add(response);
      return await response.finally(() => pending.delete(response));
    },
    async drop() {
      await Promise.allSettled(pending);
      await opening.then(cluster => cluster.disconnect()).catch(() => {});
    },
  };
}
