// A projector as a separate process that the test kills or stops: projects a topic until it is stopped.
import { MongoClient } from 'mongodb';
import { openKafkaLog } from '../../src/event-log/kafka/kafka-log.ts';
import { createLogger } from '../../src/process/log.ts';
import { runProjector } from '../../src/projector/projector.ts';
import { configOf } from '../helpers/kafka.ts';
import { storeOpener, testStore } from '../projector/test-store.ts';

const [url = '', database = '', brokers = '', topic = '', recordsMax = '50', sessionMs = '0'] =
  process.argv.slice(2);
const client = await new MongoClient(url).connect();
const first = await testStore(client, database);
const logger = createLogger(process.env.TEST_LOG_LEVEL ?? 'silent');
const eventLog = await openKafkaLog(configOf(brokers), topic, {
  logger,
  sessionTimeoutMs: Number(sessionMs),
});
const stopping = new AbortController();
process.on('disconnect', () => stopping.abort());
process.on('message', () => stopping.abort());
const openStore = storeOpener(first);
const batch = { recordsMax: Number(recordsMax), bytesMax: 1_000_000 };
try {
  process.send?.('running');
  await runProjector({ openStore, eventLog, group: 'g1', logger, batch }, stopping.signal);
} finally {
  await eventLog.close();
  await client.close();
  if (process.connected) process.disconnect();
}
