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
const messages = [];
let bytes = 0;
async function send() {
  // acks: -1 waits for all replicas.
  if (messages.length > 0) await producer.send({ topic: EVENTS_TOPIC, acks: -1, messages: messages.splice(0) });
  bytes = 0;
}
for (const line of lines) {
  const size = Buffer.byteLength(line);
  // What is sent together is one batch of each partition, and a topic takes batches of up to 1 MiB.
  if (bytes + size > 500_000) await send();
  messages.push({ key: JSON.parse(line).subject, value: line });
  bytes += size;
}
await send();
await producer.disconnect();
