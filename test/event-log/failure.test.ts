// Which errors of the Kafka client are transient.
import test from 'ava';
import { explained, isTransientKafkaError } from '../../src/event-log/kafka/failure.ts';
import { UserError } from '../../src/process/errors.ts';

test('a plain error of kafkajs about an abandoned connection is transient', t => {
  t.true(isTransientKafkaError(new Error('Broker not connected')));
});

test('programming errors and user errors are not transient', t => {
  t.false(isTransientKafkaError(new TypeError('Cannot read properties of null')));
  t.false(isTransientKafkaError(new UserError('Broker not connected')));
});

test('a connection that breaks while it signs in is transient, a wrong password is not', t => {
  const failure = (message: string) => {
    const name = 'KafkaJSSASLAuthenticationError';
    return Object.assign(new Error(`SASL PLAIN authentication failed: ${message}`), { name });
  };
  for (const message of [
    'Connection error: read ECONNRESET',
    'Connection error: write EPIPE',
    'Connection timeout',
    'Closed connection',
    'Not connected',
  ]) {
    t.true(isTransientKafkaError(failure(message)), message);
  }
  t.false(isTransientKafkaError(failure('Authentication failed: Invalid username or password')));
});

test('a listener that takes no sign-in is explained, and never asked again', t => {
  const type = 'ILLEGAL_SASL_STATE';
  const message = 'Request is not valid given the current SASL state';
  const error = Object.assign(new Error(message), { name: 'KafkaJSProtocolError', type });
  t.false(isTransientKafkaError(error));
  const made = explained(error, 'topic events');
  t.true(made instanceof UserError);
  t.regex((made as Error).message, /^topic events: Request is .* takes no sign-in.*KAFKA_BROKERS/);
});
