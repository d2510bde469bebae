// Which errors of the Kafka client are transient.
import test from 'ava';
import { isTransientKafkaError } from '../../src/event-log/kafka/failure.ts';
import { UserError } from '../../src/process/errors.ts';

test('a plain error of kafkajs about an abandoned connection is transient', t => {
  t.true(isTransientKafkaError(new Error('Broker not connected')));
});

test('programming errors and user errors are not transient', t => {
  t.false(isTransientKafkaError(new TypeError('Cannot read properties of null')));
  t.false(isTransientKafkaError(new UserError('Broker not connected')));
});
