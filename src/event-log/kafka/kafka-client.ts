// The one place that makes kafkajs clients: addresses, TLS, SASL, time limits, and its words in our log.
import { Kafka, type KafkaConfig as KafkajsConfig, type LogEntry, logLevel } from 'kafkajs';
import type { KafkaConfig } from '../../config.ts';
import type { Log } from '../../log.ts';
import { mendKafkajs } from './kafkajs-defects.ts';
import { createSockets } from './sockets.ts';

const CLIENT_ID = 'budgeting';
const CONNECT_TIMEOUT_MS = 5000;
const AUTHENTICATE_TIMEOUT_MS = 10_000;
/**
 * kafkajs asks `RETRY.retries` more times over a connection that answers nothing, before the caller replaces it: all of
 * that has to end well before the watchdog (progress.ts) strikes.
 */
const REQUEST_TIMEOUT_MS = 10_000;
/** kafkajs gives up early: who asked tries again, and says so. */
const RETRY = { retries: 2, initialRetryTime: 100, maxRetryTime: 1000 };

export interface KafkaClient {
  readonly kafka: Kafka;
  /** Ends all connections, whatever is under way on them. */
  end(): void;
}

export function createKafkaClient(config: KafkaConfig, log: Log): KafkaClient {
  mendKafkajs();
  const { factory, end } = createSockets();
  const kafka = new Kafka({
    clientId: CLIENT_ID,
    brokers: [...config.brokers],
    connectionTimeout: CONNECT_TIMEOUT_MS,
    authenticationTimeout: AUTHENTICATE_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    retry: RETRY,
    logLevel: levelFor(log),
    logCreator: () => entry => report(entry, log),
    socketFactory: factory,
    ...security(config),
  });
  return { kafka, end };
}

function security({ tls, sasl }: KafkaConfig): Pick<KafkajsConfig, 'ssl' | 'sasl'> {
  const parts = Object.entries(tls ?? {}).filter(([, pem]) => pem !== null);
  return {
    ...(tls ? { ssl: Object.fromEntries(parts) } : {}),
    // Each mechanism is a type of its own to kafkajs; all have these three parts.
    ...(sasl ? { sasl: sasl as NonNullable<KafkajsConfig['sasl']> } : {}),
  };
}

// Never its debug level: that shows whole requests.
function levelFor(log: Log): logLevel {
  if (log.isLevelEnabled('trace')) return logLevel.INFO;
  return log.isLevelEnabled('debug') ? logLevel.WARN : logLevel.NOTHING;
}

// kafkajs calls an error what it then mends by itself. What matters is logged by this adapter.
function report({ level, namespace, log: { message, error } }: LogEntry, log: Log): void {
  const details = { kafkajs: namespace, error: error === undefined ? undefined : String(error) };
  if (level === logLevel.ERROR || level === logLevel.WARN) log.debug(details, message);
  else log.trace(details, message);
}
