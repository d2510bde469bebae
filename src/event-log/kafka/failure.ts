// Classifies errors of the Kafka client: transient ones are retried, the others are explained to a person.
import { UserError } from '../../process/errors.ts';

/** The fields that distinguish kafkajs' errors. */
interface ClientError {
  readonly name: string;
  readonly message: string;
  readonly type?: string;
  readonly retriable?: boolean;
  readonly cause?: unknown;
}

/** Errors that no retry can fix, and what a person can do about them. */
const ADVICE: Readonly<Record<string, string>> = {
  TOPIC_AUTHORIZATION_FAILED: 'the user of KAFKA_SASL_USERNAME may not use this topic',
  GROUP_AUTHORIZATION_FAILED: 'the user of KAFKA_SASL_USERNAME may not use this consumer group',
  CLUSTER_AUTHORIZATION_FAILED: 'the user of KAFKA_SASL_USERNAME may not do this on the cluster',
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED:
    'the user of KAFKA_SASL_USERNAME may not use this transactional id',
  SASL_AUTHENTICATION_FAILED: 'check the KAFKA_SASL settings',
  UNSUPPORTED_SASL_MECHANISM: 'check KAFKA_SASL_MECHANISM',
  ILLEGAL_SASL_STATE:
    'this listener takes no sign-in: check the ports in KAFKA_BROKERS, or leave KAFKA_SASL_MECHANISM out',
  INVALID_TOPIC_EXCEPTION: 'check EVENTS_TOPIC',
};

/** kafkajs has no name for this error code. */
const PRODUCER_FENCED = 'Unknown error code 90';

/** kafkajs throws this plain Error for a request on a connection that it has closed meanwhile. */
const NOT_CONNECTED = 'Broker not connected';

/** What the message of a connection that broke contains. */
const BROKEN_OFF = /closed|timed out|Connection error|Connection timeout|Not connected|EPIPE/i;

/** Returns the innermost error: kafkajs wraps the original error in others. */
export function causeOf(error: unknown): ClientError {
  const { cause } = error as ClientError;
  return cause instanceof Error ? causeOf(cause) : (error as ClientError);
}

/** Returns whether a retry may succeed. UserErrors and programming errors are never retried. */
export function isTransientKafkaError(error: unknown): boolean {
  if (error instanceof UserError) return false;
  const { name, type, retriable, message } = causeOf(error);
  if (ADVICE[type ?? ''] !== undefined) return false;
  // A connection that breaks while signing in is reported as a wrong password.
  if (name === 'KafkaJSSASLAuthenticationError') return BROKEN_OFF.test(message);
  if (message === NOT_CONNECTED) return true;
  // Errors about unreachable servers are transient, even where kafkajs marks them as not retriable.
  if (/Connection|Timeout|BrokerNotFound|Coordinator|MetadataNotLoaded|NoBroker/.test(name)) {
    return true;
  }
  return name.startsWith('KafkaJS') && retriable === true;
}

/** Returns an error that counts like those of kafkajs which the next try may not meet. */
export function notYet(message: string): Error {
  return Object.assign(new Error(message), { name: 'KafkaJSNotYet', retriable: true });
}

export function isOutOfRange(error: unknown): boolean {
  return causeOf(error).type === 'OFFSET_OUT_OF_RANGE';
}

export function isUnknownTopic(error: unknown): boolean {
  return causeOf(error).type === 'UNKNOWN_TOPIC_OR_PARTITION';
}

/** Returns whether another producer has taken over the transactional id. */
export function isFencedProducer(error: unknown): boolean {
  const { type, message } = causeOf(error);
  return type === 'INVALID_PRODUCER_EPOCH' || message === PRODUCER_FENCED;
}

/** Returns a UserError with advice for a person, or the error itself if there is no advice for it. */
export function explained(error: unknown, what: string): unknown {
  if (error instanceof UserError || !(error instanceof Error)) return error;
  const { name, type, message } = causeOf(error);
  const key = name === 'KafkaJSSASLAuthenticationError' ? 'SASL_AUTHENTICATION_FAILED' : type;
  const advice = ADVICE[key ?? ''];
  if (advice === undefined) return error;
  return new UserError(`${what}: ${message}; ${advice}`, { cause: error });
}
