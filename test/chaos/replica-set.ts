// A real replica set of three, each member behind its own proxy, which clients and other members connect through.
import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { freePorts } from '../../scripts/kafka/start-kafka.ts';
import { ended, startChild } from './children.ts';
import { type Disk, mountDisk } from './disk.ts';
import { startProxy, type TcpProxy } from './proxy.ts';

export interface Member {
  readonly proxy: TcpProxy;
  /** Bypasses the proxy. */
  readonly client: MongoClient;
  /** A disk that can fill up; null if the data is on the machine's own. */
  readonly disk: Disk | null;
  signal(name: NodeJS.Signals): void;
  /** Resolves when the process has ended. */
  ended(): Promise<void>;
  /** Kills the process if it runs, and restarts it after a while. */
  killAndRestart(downMs: number): Promise<void>;
}

export interface ReplicaSet {
  readonly url: string;
  readonly members: readonly Member[];
  /** Returns the primary; null while there is none. */
  primary(): Promise<Member | null>;
  /** Resolves once there is a primary and all members are in sync. */
  healthy(): Promise<void>;
  stop(): Promise<void>;
}

const MEMBERS = 3;
const HEALTHY_MS_MAX = 300_000;
const START_TRIES_MAX = 30;
const SETTINGS = { electionTimeoutMillis: 5000, heartbeatIntervalMillis: 500 };

export async function startReplicaSet(mongod: string, folder: string): Promise<ReplicaSet> {
  const ports = await freePorts([0, 0, 0]);
  const members = await Promise.all(
    ports.slice(0, MEMBERS).map((port, index) => startMember(mongod, folder, { port, index })),
  );
  const hosts = members.map(({ proxy }) => `127.0.0.1:${proxy.port}`);
  const [first] = members;
  const list = hosts.map((host, _id) => ({ _id, host }));
  const config = { _id: 'rs0', members: list, settings: SETTINGS };
  await retried(async () => first?.client.db('admin').command({ replSetInitiate: config }));
  const set: ReplicaSet = {
    url: `mongodb://${hosts.join(',')}/?replicaSet=rs0`,
    members,
    async primary() {
      for (const member of members) {
        const hello = await ask(member, { hello: 1 });
        if (hello?.isWritablePrimary) return member;
      }
      return null;
    },
    async healthy() {
      const deadline = Date.now() + HEALTHY_MS_MAX;
      while (!(await isHealthy(set))) {
        if (Date.now() > deadline) throw new Error('The replica set did not recover');
        await sleep(100);
      }
    },
    async stop() {
      for (const member of members) member.signal('SIGKILL');
      await Promise.all(members.map(({ client }) => client.close()));
      for (const { proxy, disk } of members) {
        proxy.stop();
        disk?.stop();
      }
    },
  };
  await set.healthy();
  return set;
}

async function startMember(
  mongod: string,
  folder: string,
  { port, index }: { readonly port: number; readonly index: number },
): Promise<Member> {
  const data = join(folder, `mongo-${index}`);
  // One of three: enough to lose a primary or a secondary.
  const disk = index === 0 ? await mountDisk(data) : null;
  await mkdir(data, { recursive: true });
  const proxy = await startProxy();
  proxy.setTarget(port);
  const start = () => run([...(disk?.enter ?? []), mongod], data, port);
  let child = start();
  const address = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  // A client whose first connection fails stays closed.
  const client = await retried(() => {
    return new MongoClient(address, { serverSelectionTimeoutMS: 2000 }).connect();
  });
  return {
    proxy,
    client,
    disk,
    signal: name => void child.kill(name),
    ended: () => ended(child),
    async killAndRestart(downMs) {
      child.kill('SIGKILL');
      await ended(child);
      await sleep(downMs);
      child = start();
    },
  };
}

function run(command: readonly string[], data: string, port: number): ChildProcess {
  const options: Readonly<Record<string, string>> = {
    replSet: 'rs0',
    port: String(port),
    bind_ip: '127.0.0.1',
    dbpath: data,
    oplogSize: '128',
    wiredTigerCacheSizeGB: '0.25',
    wiredTigerEngineConfigString: 'log=(prealloc=false)',
    networkMessageCompressors: 'disabled',
  };
  const parameters = ['enableTestCommands=1', 'diagnosticDataCollectionEnabled=false'];
  const args = [
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ...parameters.flatMap(parameter => ['--setParameter', parameter]),
    '--quiet',
  ];
  const [file = '', ...words] = command;
  return startChild({ file, args: [...words, ...args], output: `${data}.log` });
}

async function isHealthy(set: ReplicaSet): Promise<boolean> {
  const primary = await set.primary();
  const status = primary && (await ask(primary, { replSetGetStatus: 1 }));
  const states: { stateStr: string; health: number }[] = status?.members ?? [];
  const inStep = states.filter(
    ({ stateStr, health }) => health === 1 && /^(PRIMARY|SECONDARY)$/.test(stateStr),
  );
  return inStep.length === MEMBERS;
}

function ask({ client }: Member, command: object) {
  return client
    .db('admin')
    .command(command, { timeoutMS: 2000 })
    .catch(() => null);
}

async function retried<T>(operation: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await operation();
    } catch (error) {
      if (tries === START_TRIES_MAX) throw error;
      await sleep(250);
    }
  }
}
