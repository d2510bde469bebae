// A program of Kafka Streams as a process: it counts the events of each key.
import { join } from 'node:path';
import lock from '../kafka/jars.json' with { type: 'json' };
import { fetchFromMaven, runJava } from './jars.ts';
import { COMPILED, type Running } from './processes.ts';
import { recordsIn, type Topic } from './topic.ts';

/** Compiled by Java when it starts. */
const PROGRAM = join(COMPILED, '..', 'scripts', 'bench', 'bare', 'CountByKey.java');

/** Returns the folder of Kafka Streams, or null if it cannot be fetched. */
export function fetchKafkaStreams(report: (line: string) => void): Promise<string | null> {
  const { version } = lock;
  const artifacts = [
    `org.apache.kafka:kafka-streams:${version}`,
    `org.apache.kafka:kafka-clients:${version}`,
  ];
  return fetchFromMaven(
    { name: `kafka-streams-${version}`, what: `Kafka Streams ${version} (80 MB)`, artifacts },
    report,
  );
}

/** Starts the program, which reads a topic from its beginning, and resolves when it has read the first event. */
export async function runKafkaStreams(jars: string, topic: Topic): Promise<Running> {
  const settings = [topic.broker.brokers, topic.name, String(recordsIn(topic))];
  const running = await runJava(jars, async folder => [PROGRAM, ...settings, folder]);
  await running.line(/^Counting$/);
  return running;
}
