// A program of Kafka Streams as a process: it counts the events of each key.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findJava } from '../kafka/find-java.ts';
import lock from '../kafka/jars.json' with { type: 'json' };
import { fetchFromMaven } from './jars.ts';
import { COMPILED, type Running, run } from './processes.ts';
import { recordsIn, type Topic } from './topic.ts';

/** Compiled by Java when it starts. */
const PROGRAM = join(COMPILED, '..', 'scripts', 'bench', 'bare', 'CountByKey.java');
const JVM = ['-Xms128m', '-Xmx512m'];

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
  const java = findJava(process.env) ?? 'java';
  const folder = await mkdtemp(join(tmpdir(), 'budgeting-streams-'));
  const settings = [topic.broker.brokers, topic.name, String(recordsIn(topic)), folder];
  const running = run(java, [...JVM, '-cp', join(jars, '*'), PROGRAM, ...settings], {});
  await running.line(/^Counting$/);
  const stop = async () => {
    await running.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...running, stop };
}
