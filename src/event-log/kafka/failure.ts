// What an error of the Kafka client means: wait and try again, or tell a person.
import { UserError } from '../../errors.ts';

/** The parts of kafkajs' errors that tell them apart. */
interface ClientError {
  readonly name: string;
  readonly message: string;
  readonly type?: string;
  readonly retriable?: boolean;
  readonly cause?: unknown;
}

/** What no waiting mends, with what a person can do about it. */
const ADVICE: Readonly<Record<string, string>> = {
  TOPIC_AUTHORIZATION_FAILED: 'the user of KAFKA_SASL_USERNAME may not use this topic',
  GROUP_AUTHORIZATION_FAILED: 'the user of KAFKA_SASL_USERNAME may not use this consumer group',
  CLUSTER_AUTHORIZATION_FAILED: 'the user of KAFKA_SASL_USERNAME may not do this on the cluster',
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED:
    'the user of KAFKA_SASL_USERNAME may not use this transactional id',
  SASL_AUTHENTICATION_FAILED: 'check the KAFKA_SASL settings',
  UNSUPPORTED_SASL_MECHANISM: 'check KAFKA_SASL_MECHANISM',
  INVALID_TOPIC_EXCEPTION: 'check EVENTS_TOPIC',
};

/** A code that kafkajs does not know by name. */
const PRODUCER_FENCED = 'Unknown error code 90';

/** What kafkajs throws, as a plain Error, where it asks over a connection that it gave up meanwhile. */
const NOT_CONNECTED = 'Broker not connected';

/** kafkajs wraps errors in errors; the innermost one is what happened. */
export function causeOf(error: unknown): ClientError {
  const { cause } = error as ClientError;
  return cause instanceof Error ? causeOf(cause) : (error as ClientError);
}

/** Whether the servers may give another answer later. Our own errors and mistakes in code never wait. */
export function isPassing(error: unknown): boolean {
  if (error instanceof UserError) return false;
  const { name, type, retriable, message } = causeOf(error);
  if (ADVICE[type ?? ''] !== undefined) return false;
  // A connection that breaks while signing in is reported as a wrong password.
  if (name === 'KafkaJSSASLAuthenticationError') return /closed|timed out/i.test(message);
  if (message === NOT_CONNECTED) return true;
  // Everything of kafkajs that is about a server it could not reach, whatever it says of retrying.
  if (/Connection|Timeout|BrokerNotFound|Coordinator|MetadataNotLoaded|NoBroker/.test(name)) {
    return true;
  }
  return name.startsWith('KafkaJS') && retriable === true;
}

export function isOutOfRange(error: unknown): boolean {
  return causeOf(error).type === 'OFFSET_OUT_OF_RANGE';
}

export function isUnknownTopic(error: unknown): boolean {
  return causeOf(error).type === 'UNKNOWN_TOPIC_OR_PARTITION';
}

/** Another producer has taken the transactional id over. */
export function isFencedProducer(error: unknown): boolean {
  const { type, message } = causeOf(error);
  return type === 'INVALID_PRODUCER_EPOCH' || message === PRODUCER_FENCED;
}

/** The error as a person should read it; an error without advice stays as it is. */
export function explained(error: unknown, what: string): unknown {
  if (error instanceof UserError || !(error instanceof Error)) return error;
  const { name, type, message } = causeOf(error);
  const key = name === 'KafkaJSSASLAuthenticationError' ? 'SASL_AUTHENTICATION_FAILED' : type;
  const advice = ADVICE[key ?? ''];
  if (advice === undefined) return error;
  return new UserError(`${what}: ${message}; ${advice}`, { cause: error });
}
