// The only place that creates kafkajs clients: addresses, TLS, SASL, timeouts, and kafkajs' messages in our log.
import { Kafka, type KafkaConfig as KafkajsConfig, type LogEntry, logLevel } from 'kafkajs';
import type { KafkaConfig } from '../../process/config.ts';
import type { Logger } from '../../process/log.ts';
import { createSockets, patchKafkajs } from './kafkajs-defects.ts';

const CLIENT_ID = 'budgeting';
const CONNECT_TIMEOUT_MS = 5000;
const AUTHENTICATE_TIMEOUT_MS = 10_000;
/**
 * kafkajs repeats a request `RETRY.retries` times over a silent connection before the caller replaces the connection.
 * All these requests must time out well before the watchdog (progress.ts) fails the subscription.
 */
const REQUEST_TIMEOUT_MS = 10_000;
/** kafkajs gives up early: the callers retry, and log that they wait. */
const RETRY = { retries: 2, initialRetryTime: 100, maxRetryTime: 1000 };

export interface KafkaClient {
  readonly kafka: Kafka;
  /** Closes all connections; requests in progress fail. */
  end(): void;
}

export function createKafkaClient(config: KafkaConfig, logger: Logger): KafkaClient {
  patchKafkajs();
  const { factory, end } = createSockets();
  const kafka = new Kafka({
    clientId: CLIENT_ID,
    brokers: inTurn(config.brokers),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    authenticationTimeout: AUTHENTICATE_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    retry: RETRY,
    logLevel: levelFor(logger),
    logCreator: () => entry => report(entry, logger),
    socketFactory: factory,
    ...security(config),
  });
  return { kafka, end };
}

/**
 * Each new connection begins at the next address. With a list kafkajs begins at its first one each time, and passes on only
 * where nobody listens: one broker that accepts connections and never answers would keep all others from being reached.
 */
export function inTurn(brokers: readonly string[]): () => string[] {
  let next = 0;
  return () => {
    const broker = brokers[next % brokers.length] ?? '';
    next += 1;
    return [broker];
  };
}

function security({ tls, sasl }: KafkaConfig): Pick<KafkajsConfig, 'ssl' | 'sasl'> {
  const parts = Object.entries(tls ?? {}).filter(([, pem]) => pem !== null);
  return {
    ...(tls ? { ssl: Object.fromEntries(parts) } : {}),
    // kafkajs types each mechanism separately; all have these three fields. It adds one of its own, so it gets a copy.
    ...(sasl ? { sasl: { ...sasl } as NonNullable<KafkajsConfig['sasl']> } : {}),
  };
}

// Never uses kafkajs' debug level, which logs whole requests.
function levelFor(logger: Logger): logLevel {
  if (logger.isLevelEnabled('trace')) return logLevel.INFO;
  return logger.isLevelEnabled('debug') ? logLevel.WARN : logLevel.NOTHING;
}

// Demotes kafkajs' errors, most of which it recovers from by itself. This adapter logs the rest.
function report({ level, namespace, log: { message, error } }: LogEntry, logger: Logger): void {
  const details = { kafkajs: namespace, error: error === undefined ? undefined : String(error) };
  if (level === logLevel.ERROR || level === logLevel.WARN) logger.debug(details, message);
  else logger.trace(details, message);
}
