import test from 'ava';
import { murmur2, partitionOf } from '../../src/event-log/partition-of.ts';

// From Kafka's own test, org.apache.kafka.common.utils.UtilsTest.testMurmur2.
for (const [text, hash] of [
  ['21', -973932308],
  ['foobar', -790332482],
  ['a-little-bit-long-string', -985981536],
  ['a-little-bit-longer-string', -1486304829],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
  ['abc', 479470107],
] as const) {
  test(`murmur2 of ${text} equals that of Kafka`, t => {
    t.is(murmur2(Buffer.from(text)), hash);
  });
}

test('a partition is the positive part of the hash, modulo the number of partitions', t => {
  t.is(partitionOf('abc', 7), 479470107 % 7);
  t.is(partitionOf('21', 7), (-973932308 & 0x7fffffff) % 7);
  t.is(partitionOf('anything', 1), 0);
});
