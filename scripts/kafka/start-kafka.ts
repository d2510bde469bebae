// Starts a real Kafka broker on this machine: with empty data, on free ports; stopping it removes its data.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { UserError } from '../../src/process/errors.ts';
import {
  BROKER_ADDRESS,
  type BrokerPlan,
  brokerSettings,
  loggingSettings,
  READY_LINE,
} from './broker-settings.ts';
import { fetchJars } from './fetch-jars.ts';
import { findJava } from './find-java.ts';
import { planSecure, type SecureAccess } from './secure-listener.ts';

export interface StartKafkaOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Takes one line about each step that takes time. */
  readonly report: (line: string) => void;
  /** The port of the plain listener (default: any free one). */
  readonly port?: number;
  /** Opens a second listener with TLS and SASL (PLAIN and SCRAM). */
  readonly secure?: boolean;
  /** Opens another listener that is advertised under this port, that of a proxy in between. */
  readonly proxyPort?: number;
  /** The folder of the data, and the prefix of commands that see it (default: a temporary folder, no prefix). */
  readonly disk?: { readonly folder: string; readonly enter: readonly string[] };
  /** Override the broker's settings. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

export interface RunningKafka {
  readonly brokers: string;
  /** The shell that keeps the broker, its child. */
  readonly pid: number;
  /** Null unless it was requested. */
  readonly secure: SecureAccess | null;
  /** The port that the proxy must forward to; 0 without a proxy. */
  readonly behindProxy: number;
  /** Sends a signal to the broker's process. */
  signal(name: NodeJS.Signals): void;
  /** Resolves when the broker's process has ended. */
  ended(): Promise<void>;
  /** Stops the broker unless it has ended, runs `whileDown`, and starts the broker again on the same data and ports. */
  restart(whileDown?: () => Promise<void>, how?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

const START_MS_MAX = 60_000;
const STOP_MS_MAX = 10_000;
const POLL_MS = 25;
const LOG_SHOWN_CHARACTERS = 2000;
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;
const PORTS_TRIED_MAX = 100;
const JVM = ['-Xms128m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

interface Java {
  readonly command: readonly string[];
  readonly options: readonly string[];
}

/** Ends the broker when this process ends for any reason: the shell then reads the end of its input. */
const KEEPER = 'exec 3<&0; "$@" </dev/null & pid=$!; (read -r _ <&3; kill $pid) & wait $pid';

export async function startKafka(options: StartKafkaOptions): Promise<RunningKafka> {
  const { env, report } = options;
  const found = findJava(env);
  if (found === null) throw new UserError('Kafka needs Java 17 or later, and there is none');
  const jars = await fetchJars(env, report);
  const folder = await mkdtemp(join(tmpdir(), 'budgeting-kafka-'));
  const removed = () => rm(folder, { recursive: true, force: true });
  try {
    const wanted = [options.port ?? 0, 0, 0, 0];
    const [port = 0, controllerPort = 0, securePort = 0, behind = 0] = await freePorts(wanted);
    const access = options.secure ? await planSecure(found, folder, securePort) : null;
    const { proxyPort, disk, settings = {} } = options;
    const data = disk?.folder ?? join(folder, 'data');
    const proxied = proxyPort === undefined ? null : { port: behind, proxyPort };
    const plan: BrokerPlan = {
      folder,
      data,
      port,
      controllerPort,
      secure: access?.plan ?? null,
      proxied,
      settings,
    };
    const logging = `-Dlog4j2.configurationFile=${loggingOf(folder)}`;
    const crash = `-XX:ErrorFile=${join(folder, 'crash.log')}`;
    const java = {
      command: [...(disk?.enter ?? []), found],
      options: [...JVM, crash, logging, '-cp', join(jars, '*')],
    };
    await format(java, plan);
    let broker = await run(java, folder);
    return {
      brokers: `${BROKER_ADDRESS}:${port}`,
      get pid() {
        return broker.pid ?? 0;
      },
      secure: access?.access ?? null,
      behindProxy: proxied?.port ?? 0,
      signal: name => signal(broker, name),
      ended: () => ended(broker),
      async restart(whileDown = async () => {}, how = 'SIGTERM') {
        if (how === 'SIGKILL') signal(broker, 'SIGKILL');
        await end(broker);
        await whileDown();
        broker = await run(java, folder);
      },
      async stop() {
        await end(broker);
        await removed();
      },
    };
  } catch (error) {
    await removed();
    throw error;
  }
}

/** Returns the wanted ports, all of which are free now; 0 stands for any free port. */
export async function freePorts(wanted: readonly number[]): Promise<number[]> {
  const servers: Server[] = [];
  try {
    for (const port of wanted) servers.push(await (port === 0 ? listenAnywhere() : listenOn(port)));
    return servers.map(server => (server.address() as AddressInfo).port);
  } finally {
    await Promise.all(servers.map(server => once(server.close(), 'close')));
  }
}

/** Avoids the range of outgoing connections: one of them could take the port before the broker does. */
async function listenAnywhere(): Promise<Server> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listenOn(randomInt(PORT_MIN, PORT_MAX));
    } catch (error) {
      if (attempt === PORTS_TRIED_MAX) throw error;
    }
  }
}

async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen(port, BROKER_ADDRESS);
  await once(server, 'listening');
  return server;
}

/** Writes the settings and formats the data folder of a new cluster. */
async function format(java: Java, plan: BrokerPlan): Promise<void> {
  const { folder, secure } = plan;
  await writeFile(settingsOf(folder), brokerSettings(plan), { mode: 0o600 });
  await writeFile(loggingOf(folder), loggingSettings(logOf(folder)));
  // One argument, because an id that begins with a dash would be read as an option.
  const cluster = `--cluster-id=${randomBytes(16).toString('base64url')}`;
  const credentials = `[name=${secure?.username},password=${secure?.password}]`;
  const scrams = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].map(name => `${name}=${credentials}`);
  const adding = secure ? scrams.flatMap(scram => ['--add-scram', scram]) : [];
  const tool = ['kafka.tools.StorageTool', 'format', cluster, '-c', settingsOf(folder)];
  const [file = '', ...prefix] = java.command;
  await promisify(execFile)(file, [...prefix, ...java.options, ...tool, ...adding]);
}

/** Starts the broker and resolves when it takes requests. */
async function run(java: Java, folder: string): Promise<ChildProcess> {
  const earlier = (await logText(folder)).length;
  const broker = [...java.command, ...java.options, 'kafka.Kafka', settingsOf(folder)];
  const child = spawn('sh', ['-c', KEEPER, 'sh', ...broker], {
    // In its own process group, so that ^C does not reach the broker: its user stops it afterwards.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin?.on('error', () => {});
  const deadline = Date.now() + START_MS_MAX;
  for (;;) {
    const text = (await logText(folder)).slice(earlier);
    if (text.includes(READY_LINE)) return child;
    if (child.exitCode !== null || Date.now() > deadline) {
      await end(child);
      throw new UserError(`Kafka did not start:\n${text.slice(-LOG_SHOWN_CHARACTERS)}`);
    }
    await sleep(POLL_MS);
  }
}

/** Signals the broker together with the shell that keeps it. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid !== undefined && isAlive(child)) process.kill(-child.pid, name);
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function ended(child: ChildProcess): Promise<void> {
  if (isAlive(child)) await once(child, 'exit');
}

async function end(child: ChildProcess): Promise<void> {
  if (!isAlive(child)) return;
  const exit = once(child, 'exit');
  child.stdin?.end();
  const force = setTimeout(() => signal(child, 'SIGKILL'), STOP_MS_MAX);
  await exit;
  clearTimeout(force);
}

function logText(folder: string): Promise<string> {
  return readFile(logOf(folder), 'utf8').catch(() => '');
}

function settingsOf(folder: string): string {
  return join(folder, 'server.properties');
}

function loggingOf(folder: string): string {
  return join(folder, 'log4j2.properties');
}

function logOf(folder: string): string {
  return join(folder, 'broker.log');
}
