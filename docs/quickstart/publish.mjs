// node publish.mjs FILE: publishes a file of events, one a line, to Kafka as a write side does.
// KAFKA_BROKERS and EVENTS_TOPIC say where.
import { readFile } from 'node:fs/promises';
import { Kafka, Partitioners } from 'kafkajs';

const { KAFKA_BROKERS = '127.0.0.1:9092', EVENTS_TOPIC = 'budgeting.events' } = process.env;
const lines = (await readFile(process.argv[2], 'utf8')).split('\n').filter(line => line !== '');

const producer = new Kafka({ brokers: KAFKA_BROKERS.split(',') }).producer({
  createPartitioner: Partitioners.DefaultPartitioner, // murmur2, as Kafka's Java clients do
  idempotent: true, // a retry writes no event twice
  maxInFlightRequests: 1, // events stay in order
});
await producer.connect();
await producer.send({
  topic: EVENTS_TOPIC,
  acks: -1, // all replicas
  messages: lines.map(line => ({ key: JSON.parse(line).subject, value: line })),
});
await producer.disconnect();
