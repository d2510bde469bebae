// MongoDB's Kafka sink connector as a process, in Kafka Connect's standalone mode. With its default settings it stores
// each record as a document, unchanged.
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import lock from '../kafka/jars.json' with { type: 'json' };
import { fetchFromMaven, runJava } from './jars.ts';
import type { Running } from './processes.ts';
import type { Topic } from './topic.ts';

const VERSION = '2.0.1';
/** Maven would choose a version of the last one that the first one cannot use. */
const ARTIFACTS = [
  `org.apache.kafka:connect-runtime:${lock.version}`,
  `org.mongodb.kafka:mongo-kafka-connect:${VERSION}`,
  'com.fasterxml.jackson.core:jackson-core:2.21.2',
];

/** Returns the folder of the connector, or null if it cannot be fetched. */
export function fetchSink(report: (line: string) => void): Promise<string | null> {
  const name = `kafka-sink-${VERSION}-${lock.version}`;
  const what = `MongoDB's Kafka connector ${VERSION} (39 MB)`;
  return fetchFromMaven({ name, what, artifacts: ARTIFACTS }, report);
}

interface SinkTarget {
  readonly mongodbUrl: string;
  readonly database: string;
  readonly collection: string;
}

/** Starts the connector on a topic. It reads from the beginning. */
export function runSink(jars: string, topic: Topic, target: SinkTarget): Promise<Running> {
  return runJava(jars, async folder => {
    const strings = 'org.apache.kafka.connect.storage.StringConverter';
    const worker = join(folder, 'worker.properties');
    await writeProperties(worker, {
      'bootstrap.servers': topic.broker.brokers,
      'key.converter': strings,
      'value.converter': strings,
      'offset.storage.file.filename': join(folder, 'offsets'),
      listeners: 'HTTP://127.0.0.1:0',
    });
    const connector = join(folder, 'sink.properties');
    await writeProperties(connector, {
      // Also names the consumer group.
      name: basename(folder),
      'connector.class': 'com.mongodb.kafka.connect.MongoSinkConnector',
      topics: topic.name,
      'connection.uri': target.mongodbUrl,
      database: target.database,
      collection: target.collection,
      'consumer.override.auto.offset.reset': 'earliest',
    });
    return ['org.apache.kafka.connect.cli.ConnectStandalone', worker, connector];
  });
}

async function writeProperties(
  file: string,
  properties: Readonly<Record<string, string>>,
): Promise<void> {
  const lines = Object.entries(properties).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(file, lines.join(''), { mode: 0o600 });
}
