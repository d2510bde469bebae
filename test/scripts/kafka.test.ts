import test from 'ava';
import { needsKafka } from '../../scripts/test/kafka.ts';

test('all tests need Kafka, and so does a named test with .kafka in its name', t => {
  t.true(needsKafka([]));
  t.true(needsKafka(['--match', '*lag*']));
  t.true(needsKafka(['test/http/months.mongo.test.ts', 'test/event-log/kafka.kafka.test.ts']));
});

test('other named tests need no Kafka', t => {
  t.false(needsKafka(['test/http/months.mongo.test.ts']));
  t.false(needsKafka(['dist/test/log.test.js', '--match', '*.kafka.*']));
});
