// Questions to the brokers: asked until they answer, over one connection that is made anew after a failure.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from 'kafkajs';
import { UserError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { causeOf, explained, isPassing, isUnknownTopic } from './failure.ts';

export interface Patience {
  /** For messages: "topic …". */
  readonly name: string;
  readonly log: Log;
  /** How long brokers that do not answer are waited for; infinite for a process that is to outlive them. */
  readonly waitMsMax: number;
}

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 3000;
const REPORT_FIRST_MS = 1000;
const REPORT_EVERY_MS = 30_000;
/** A topic that was just made is not known to every broker; one that stays unknown is gone. */
const UNKNOWN_TOPIC_MS_MAX = 15_000;

/** Runs until it succeeds, or fails with what no waiting mends, or longer than is waited, or the signal aborts. */
export async function answered<T>(
  run: () => Promise<T>,
  { name, log, waitMsMax }: Patience,
  signal?: AbortSignal,
): Promise<T> {
  const begun = Date.now();
  let reportAtMs = REPORT_FIRST_MS;
  for (let waitMs = RETRY_MS_MIN; ; waitMs = Math.min(waitMs * 2, RETRY_MS_MAX)) {
    try {
      return await run();
    } catch (error) {
      if (!isPassing(error) || signal?.aborted) throw explained(error, name);
      const waitedMs = Date.now() - begun;
      const { message } = causeOf(error);
      if (isUnknownTopic(error) && waitedMs > Math.min(UNKNOWN_TOPIC_MS_MAX, waitMsMax)) {
        throw new UserError(`There is no ${name}`, { cause: error });
      }
      if (waitedMs > waitMsMax) {
        throw new UserError(`Kafka does not answer (${name}): ${message}`, { cause: error });
      }
      if (waitedMs >= reportAtMs) {
        log.warn({ waitedSeconds: Math.round(waitedMs / 1000) }, `Waiting for Kafka: ${message}`);
        reportAtMs = waitedMs + REPORT_EVERY_MS;
      }
      await sleep(waitMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
    }
  }
}

export interface Servers {
  /** Asks until they answer: the question may be asked several times. */
  ask<T>(question: Question<T>, signal?: AbortSignal): Promise<T>;
  /** Asks once. */
  tryOnce<T>(question: Question<T>): Promise<T>;
  close(): Promise<void>;
}

type Question<T> = (cluster: Cluster) => Promise<T>;

export function createServers(open: () => Promise<Cluster>, patience: Patience): Servers {
  const closing = new AbortController();
  let current: Connection | null = null;
  const tryOnce = async <T>(question: Question<T>): Promise<T> => {
    closing.signal.throwIfAborted();
    current ??= createConnection(open());
    const used = current;
    try {
      return await used.run(question);
    } catch (error) {
      // What kafkajs knows of brokers that went away is not trusted: the next try begins afresh.
      if (isPassing(error)) {
        if (current === used) current = null;
        used.drop().catch(() => {});
      }
      throw error;
    }
  };
  return {
    tryOnce,
    ask: (question, signal) =>
      answered(() => tryOnce(question), patience, signal ?? closing.signal),
    async close() {
      closing.abort(new UserError(`The connection to ${patience.name} was closed`));
      await current?.drop();
    },
  };
}

interface Connection {
  run<T>(question: Question<T>): Promise<T>;
  /** Disconnects once no question is under way, for kafkajs would connect again for it. */
  drop(): Promise<void>;
}

function createConnection(opening: Promise<Cluster>): Connection {
  const under = new Set<Promise<unknown>>();
  return {
    async run(question) {
      const answer = opening.then(question);
      under.add(answer);
      return await answer.finally(() => under.delete(answer));
    },
    async drop() {
      await Promise.allSettled(under);
      await opening.then(cluster => cluster.disconnect()).catch(() => {});
    },
  };
}
