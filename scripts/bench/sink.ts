// MongoDB's Kafka sink connector as a process, in Kafka Connect's standalone mode. With its default settings it stores
// each record as a document, unchanged.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cachedFolder } from '../cached-folder.ts';
import { findJava } from '../kafka/find-java.ts';
import lock from '../kafka/jars.json' with { type: 'json' };
import { type Running, run } from './processes.ts';
import type { Topic } from './topic.ts';

const VERSION = '2.0.1';
/** Each as group:artifact:version. Maven would choose a version of the last one that the first one cannot use. */
const ARTIFACTS = [
  `org.apache.kafka:connect-runtime:${lock.version}`,
  `org.mongodb.kafka:mongo-kafka-connect:${VERSION}`,
  'com.fasterxml.jackson.core:jackson-core:2.21.2',
];
const MAVEN_TIMEOUT_MS = 300_000;
const JVM = ['-Xms128m', '-Xmx512m'];

/** Returns the folder of the connector's jars, which `mvn` fetches once, or null if it cannot. */
export async function fetchSink(report: (line: string) => void): Promise<string | null> {
  const name = `kafka-sink-${VERSION}-${lock.version}`;
  try {
    return await cachedFolder(process.env, name, async folder => {
      report(`Fetching MongoDB's Kafka connector ${VERSION} once (65 jars, 39 MB)`);
      await copyByMaven(folder);
    });
  } catch (error) {
    report(
      `It could not be fetched by mvn, and is left out (${(error as { code?: unknown }).code})`,
    );
    return null;
  }
}

async function copyByMaven(folder: string): Promise<void> {
  const project = join(folder, 'pom.xml');
  await writeFile(project, projectText());
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime'];
  const args = ['-B', '-q', '-ntp', '-f', project, ...goal, `-DoutputDirectory=${folder}`];
  await promisify(execFile)('mvn', args, { timeout: MAVEN_TIMEOUT_MS });
}

function projectText(): string {
  const dependencies = ARTIFACTS.map(artifact => {
    const [group, name, version] = artifact.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project><modelVersion>4.0.0</modelVersion><groupId>budgeting</groupId><artifactId>sink</artifactId><version>1</version><packaging>pom</packaging><dependencies>${dependencies.join('')}</dependencies></project>`;
}

interface SinkTarget {
  readonly mongodbUrl: string;
  readonly database: string;
  readonly collection: string;
}

/** Starts the connector on a topic. It reads from the beginning. */
export async function runSink(jars: string, topic: Topic, target: SinkTarget): Promise<Running> {
  const java = findJava(process.env) ?? 'java';
  const folder = await mkdtemp(join(tmpdir(), 'budgeting-sink-'));
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
    name: folder.slice(tmpdir().length + 1),
    'connector.class': 'com.mongodb.kafka.connect.MongoSinkConnector',
    topics: topic.name,
    'connection.uri': target.mongodbUrl,
    database: target.database,
    collection: target.collection,
    'consumer.override.auto.offset.reset': 'earliest',
  });
  const main = 'org.apache.kafka.connect.cli.ConnectStandalone';
  const running = run(java, [...JVM, '-cp', join(jars, '*'), main, worker, connector], {});
  const stop = async () => {
    await running.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...running, stop };
}

async function writeProperties(
  file: string,
  properties: Readonly<Record<string, string>>,
): Promise<void> {
  const lines = Object.entries(properties).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(file, lines.join(''), { mode: 0o600 });
}
