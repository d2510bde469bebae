// Which errors of the Kafka client are waited out.
import test from 'ava';
import { UserError } from '../../src/errors.ts';
import { isTransient } from '../../src/event-log/kafka/failure.ts';

test('a plain error of kafkajs about a connection that it gave up is waited out', t => {
  t.true(isTransient(new Error('Broker not connected')));
});

test('mistakes in code and words for people are not waited out', t => {
  t.false(isTransient(new TypeError('Cannot read properties of null')));
  t.false(isTransient(new UserError('Broker not connected')));
});
