// One mongod as a process: its arguments, waiting until it listens, stopping it, ending one that was left behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { delay } from '../delay.ts';
import { commandOf, hasEnded } from '../process-identity.ts';

export const ADDRESS = '127.0.0.1';
export const REPLICA_SET = 'rs0';

const STOP_TIMEOUT_MS = 8000;
const KILL_TIMEOUT_MS = 5000;
const POLL_MS = 25;
/** A search is personal: no operation is slow enough to be logged with its text. */
const SLOW_OPERATION_MS = 2 ** 31 - 1;

const PARAMETERS = [
  'minSnapshotHistoryWindowInSeconds=30',
  'diagnosticDataCollectionEnabled=false',
  'shutdownTimeoutMillisForSignaledShutdown=2000',
];

export interface MongodFiles {
  readonly db: string;
  readonly key: string;
  readonly log: string;
}

/** In a process group of its own, so that ^C reaches this program first and it can drain. */
export function spawnMongod(binary: string, port: number, files: MongodFiles): ChildProcess {
  const log = openSync(files.log, 'a', 0o600);
  try {
    const child = spawn(binary, mongodArguments(port, files), {
      detached: true,
      stdio: ['ignore', log, log],
    });
    // A binary that cannot be run shows as a child without a number (see `ended`).
    child.on('error', () => undefined);
    // When this process leaves without stopping it, mongod is told to end too.
    const onExit = (): void => void child.kill('SIGTERM');
    process.once('exit', onExit);
    child.once('exit', () => process.removeListener('exit', onExit));
    return child;
  } finally {
    closeSync(log);
  }
}

function mongodArguments(port: number, files: MongodFiles): string[] {
  const flags = { '--dbpath': files.db, '--port': port, '--bind_ip': ADDRESS };
  const security = { '--replSet': REPLICA_SET, '--keyFile': files.key };
  const limits = {
    '--wiredTigerCacheSizeGB': 0.25,
    '--wiredTigerEngineConfigString': 'log=(prealloc=false)',
    '--oplogSize': 512,
    '--slowms': SLOW_OPERATION_MS,
    // The mongod of the wheel has CVE-2025-14847 in its zlib compressor.
    '--networkMessageCompressors': 'disabled',
  };
  const pairs = Object.entries({ ...flags, ...security, ...limits });
  return [
    ...pairs.flatMap(([name, value]) => [name, String(value)]),
    ...PARAMETERS.flatMap(parameter => ['--setParameter', parameter]),
    '--nounixsocket',
    '--quiet',
  ];
}

/** True once it listens, false when it has ended or the time is up. */
export async function listens(
  child: ChildProcess,
  port: number,
  timeoutMs: number,
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!ended(child) && Date.now() < deadline) {
    if (await accepts(port)) return true;
    await delay(POLL_MS);
  }
  return false;
}

export function ended(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** Ends it cleanly, by force when that takes too long (its journal mends that at the next start). */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (ended(child)) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exit;
  clearTimeout(timer);
}

/** Ends the mongod that a killed run left on the folder; answers its number, null when there was none. */
export async function endOrphan(files: MongodFiles): Promise<number | null> {
  const text = await readFile(`${files.db}/mongod.lock`, 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  // The number may belong to another process by now: only a mongod on this folder is ended.
  if (!Number.isInteger(pid) || !(await commandOf(pid))?.includes(` ${files.db} `)) return null;
  process.kill(pid, 'SIGTERM');
  if (!(await hasEnded(pid, STOP_TIMEOUT_MS))) {
    process.kill(pid, 'SIGKILL');
    await hasEnded(pid, KILL_TIMEOUT_MS);
  }
  return pid;
}

/** The wanted port where it is free, else any free one. */
export async function freePort(wanted: number): Promise<number> {
  return (await tryPort(wanted)) ?? (await tryPort(0)) ?? 0;
}

async function tryPort(port: number): Promise<number | null> {
  const server = createServer().listen(port, ADDRESS);
  try {
    await once(server, 'listening');
  } catch {
    return null;
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? (address?.port ?? null) : null;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, ADDRESS);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
