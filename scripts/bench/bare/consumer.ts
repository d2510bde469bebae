// The bare consumer as a baseline: kafkajs' eachBatch, and one transaction for each batch that stores the unchanged
// events and the position of their streams.
import kafkajs from 'kafkajs';
import { type AnyBulkWriteOperation, MongoClient } from 'mongodb';
import { BARE_DATABASE } from '../bare-data.ts';
import type { Positioned } from '../watch.ts';

const { MONGODB_URL = '', KAFKA_BROKERS = '', EVENTS_TOPIC = '' } = process.env;
const client = await new MongoClient(MONGODB_URL).connect();
const database = client.db(BARE_DATABASE);
const events = database.collection<{ _id: string }>('events');
const positions = database.collection<Positioned>('positions');
const checkpoints = database.collection<{ _id: number; next: number }>('checkpoints');

const kafka = new kafkajs.Kafka({
  brokers: KAFKA_BROKERS.split(','),
  logLevel: kafkajs.logLevel.NOTHING,
});
const consumer = kafka.consumer({ groupId: `bare.${EVENTS_TOPIC}` });
await consumer.connect();
await consumer.subscribe({ topic: EVENTS_TOPIC, fromBeginning: true });
await consumer.run({
  eachBatch: async ({ batch }) => {
    const found = batch.messages.map(({ value }) => JSON.parse(String(value)));
    const moves = new Map<string, AnyBulkWriteOperation<Positioned>>();
    for (const { subject, sequence } of found) {
      const update = { $set: { sequence } };
      moves.set(subject, { updateOne: { filter: { _id: subject }, update, upsert: true } });
    }
    const next = Number(batch.lastOffset()) + 1;
    await client.withSession(session =>
      session.withTransaction(async () => {
        const checkpoint = { _id: batch.partition };
        await checkpoints.updateOne(checkpoint, { $set: { next } }, { session, upsert: true });
        await events.insertMany(
          found.map(event => ({ ...event, _id: event.id })),
          { session },
        );
        await positions.bulkWrite([...moves.values()], { session });
      }),
    );
  },
});
process.stdout.write('Bare consumer\n');
process.on('SIGTERM', () => process.exit(0));
