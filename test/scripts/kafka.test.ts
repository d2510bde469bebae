import test from 'ava';
import { needsKafka } from '../../scripts/test/kafka.ts';

test('Kafka is started for all tests, and for a named one that says so', t => {
  t.true(needsKafka([]));
  t.true(needsKafka(['--match', '*lag*']));
  t.true(needsKafka(['test/http/months.mongo.test.ts', 'test/event-log/kafka.kafka.test.ts']));
});

test('Kafka is not started for tests that do not need it', t => {
  t.false(needsKafka(['test/http/months.mongo.test.ts']));
  t.false(needsKafka(['dist/test/log.test.js', '--match', '*.kafka.*']));
});
