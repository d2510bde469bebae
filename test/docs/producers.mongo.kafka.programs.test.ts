// The programs of docs/producers.md write one random history, each its own streams, to a real broker.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { fetchJars } from '../../scripts/kafka/fetch-jars.ts';
import { findJava } from '../../scripts/kafka/find-java.ts';
import { installPython } from '../../scripts/python-packages.ts';
import { caughtUp } from '../chaos/fresh-projection.ts';
import { fetchedFor } from '../helpers/fetched.ts';
import { kafkaTest } from '../helpers/kafka.ts';
import { useKafkaAndMongo } from '../helpers/kafka-and-mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import type { LogEvent } from '../model/stream.ts';
import { kafkaSystem } from '../system/kafka-system.ts';
import { franzGo, platformatic } from './producer-tools.ts';

const PACKAGES = [
  ...['aiokafka==0.14.0', 'async-timeout==5.0.1', 'confluent-kafka==2.16.1'],
  ...['kafka-python==3.0.12', 'packaging==26.3', 'typing_extensions==4.16.0'],
];
const MINUTE_MS = 60_000;
const PARTITIONS = 5;
const run = promisify(execFile);
const page = readFileSync(join(process.cwd(), 'docs', 'producers.md'), 'utf8');

const servers = useKafkaAndMongo(test);
const needsKafka = kafkaTest(test);

/** Returns the block of the page whose first line names the file. */
function programOf(file: string): string {
  const code = [...page.matchAll(/^```\w+\n(?:#|\/\/) (\S+)\n(.*?)^```$/gms)];
  const [, , text] = code.find(([, name]) => name === file) ?? [];
  if (text === undefined) throw new Error(`Expected a program ${file} on the page, got none`);
  return text;
}

needsKafka('the read model of their topic is that of the history', async t => {
  const system = await kafkaSystem(t, { ...servers(), partitions: PARTITIONS });
  const folder = await temporaryFolder(t);
  const report = (line: string) => void process.stderr.write(`${line}\n`);
  const python = join(await installPython('producers', PACKAGES), 'bin', 'python3');
  const classes = join(await fetchJars(process.env, report), '*');
  const java = findJava(process.env) ?? '';
  const forJavaScript = await fetchedFor('docs/producers.md, @platformatic/kafka', platformatic);
  const forGo = await fetchedFor('docs/producers.md, franz-go', franzGo);
  for (const prepare of [forJavaScript, forGo]) await prepare?.(folder);
  type Program = readonly [file: string, command: readonly string[]];
  const programs: readonly Program[] = [
    ['confluent.py', [python]],
    ['aio.py', [python]],
    ['kafkapython.py', [python]],
    ['Publish.java', [java, '-cp', classes]],
    ...(forJavaScript ? [['platformatic.mjs', [process.execPath]] as const] : []),
    ...(forGo ? [['franz.go', ['go', 'run']] as const] : []),
  ];
  const history = randomHistory({ seed: 32, events: 1500, budgets: 18, spaces: 3, users: 2 });
  const events = eventsOf(history);
  const subjects = [...new Set(events.map(({ subject }) => subject))];
  const env = {
    ...process.env,
    KAFKA_BROKERS: servers().kafka.config.brokers.join(','),
    EVENTS_TOPIC: system.topic,
  };
  for (const [index, [file, [command = '', ...args]]] of programs.entries()) {
    const program = join(folder, file);
    await writeFile(program, programOf(file));
    const own = events.filter(
      ({ subject }) => subjects.indexOf(subject) % programs.length === index,
    );
    t.true(own.length > 50, file);
    const given = join(folder, `${file}.ndjson`);
    await writeFile(given, own.map(event => `${JSON.stringify(event)}\n`).join(''));
    await run(command, [...args, program, given], { cwd: folder, env, timeout: 8 * MINUTE_MS });
  }
  system.start('project');
  await caughtUp(system.collections, system.eventLog, 8 * MINUTE_MS);
  const quarantined = await system.collections.quarantine.find().toArray();
  t.deepEqual(
    quarantined.map(({ reason }) => reason),
    [],
  );
  const heads = await system.collections.heads.find().toArray();
  t.deepEqual(
    Object.fromEntries(heads.map(({ _id, sequence, held }) => [_id, [sequence, held ?? null]])),
    Object.fromEntries(subjects.map(subject => [subject, [lastOf(events, subject), null]])),
  );
  const verified = await system.run('verify');
  t.is(verified.code, 0, verified.out + verified.err);
});

/** Returns the sequence of the last event that counts: after its deletion a budget takes none. */
function lastOf(events: readonly LogEvent[], subject: string): number {
  const own = events.filter(event => event.subject === subject);
  return own.find(({ type }) => type === 'budget.deleted')?.sequence ?? own.length;
}
