// Which errors of the Kafka client are transient.
import test from 'ava';
import { UserError } from '../../src/errors.ts';
import { isTransient } from '../../src/event-log/kafka/failure.ts';

test('a plain error of kafkajs about an abandoned connection is transient', t => {
  t.true(isTransient(new Error('Broker not connected')));
});

test('programming errors and user errors are not transient', t => {
  t.false(isTransient(new TypeError('Cannot read properties of null')));
  t.false(isTransient(new UserError('Broker not connected')));
});
