// One mongod process: its arguments, waiting until it listens, stopping it, and ending an orphan of an earlier run.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { commandOf, hasEnded } from '../process/process-identity.ts';
import { delay } from '../process/waiting.ts';

export const MONGOD_ADDRESS = '127.0.0.1';
export const REPLICA_SET = 'rs0';

const STOP_TIMEOUT_MS = 8000;
const KILL_TIMEOUT_MS = 5000;
const POLL_MS = 25;
/** Disables the log of slow operations, because their queries may contain personal text. */
const SLOW_OPERATION_MS = 2 ** 31 - 1;

const PARAMETERS = [
  // Otherwise anyone on this machine may initiate the set and make the first user; this program signs in by the key file.
  'enableLocalhostAuthBypass=false',
  'minSnapshotHistoryWindowInSeconds=30',
  'diagnosticDataCollectionEnabled=false',
  'shutdownTimeoutMillisForSignaledShutdown=2000',
];

export interface MongodFiles {
  readonly db: string;
  readonly key: string;
  readonly log: string;
}

/** Starts mongod in its own process group, so that ^C reaches only this program, which drains and then stops it. */
export function spawnMongod(binary: string, port: number, files: MongodFiles): ChildProcess {
  const log = openSync(files.log, 'a', 0o600);
  try {
    const child = spawn(binary, mongodArguments(port, files), {
      detached: true,
      stdio: ['ignore', log, log],
    });
    // If the binary cannot be run, the child has no pid, which `ended` checks.
    child.on('error', () => undefined);
    // Also stops mongod if this process exits without stopping it.
    const onExit = (): void => void child.kill('SIGTERM');
    process.once('exit', onExit);
    child.once('exit', () => process.removeListener('exit', onExit));
    return child;
  } finally {
    closeSync(log);
  }
}

function mongodArguments(port: number, files: MongodFiles): string[] {
  const flags = { '--dbpath': files.db, '--port': port, '--bind_ip': MONGOD_ADDRESS };
  const security = { '--replSet': REPLICA_SET, '--keyFile': files.key };
  const limits = {
    '--wiredTigerCacheSizeGB': 0.25,
    '--wiredTigerEngineConfigString': 'log=(prealloc=false)',
    '--oplogSize': 512,
    '--slowms': SLOW_OPERATION_MS,
    // The wheel's mongod has CVE-2025-14847 in its zlib compressor.
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

/** Returns true once mongod listens, false if it ends first or the time is up. */
export async function listens(
  child: ChildProcess,
  port: number,
  timeoutMs: number,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!ended(child) && performance.now() < deadline) {
    if (await accepts(port)) return true;
    await delay(POLL_MS);
  }
  return false;
}

export function ended(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** Stops mongod cleanly; kills it after STOP_TIMEOUT_MS, from which its journal recovers at the next start. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (ended(child)) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exit;
  clearTimeout(timer);
}

/** Ends the mongod that a killed run left on the folder. Returns its pid, or null if there was none. */
export async function endOrphan(files: MongodFiles): Promise<number | null> {
  const text = await readFile(`${files.db}/mongod.lock`, 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  // The pid may belong to another process by now, so only a mongod on this folder is ended.
  if (!Number.isInteger(pid) || !(await runsOn(pid, files.db))) return null;
  process.kill(pid, 'SIGTERM');
  if (!(await hasEnded(pid, STOP_TIMEOUT_MS))) {
    process.kill(pid, 'SIGKILL');
    await hasEnded(pid, KILL_TIMEOUT_MS);
  }
  return pid;
}

/** Returns whether a process is a mongod on a folder, by whatever name of it: a symbolic link leads there too. */
async function runsOn(pid: number, db: string): Promise<boolean> {
  const [, path] = / --dbpath (.+?) --port /.exec((await commandOf(pid)) ?? '') ?? [];
  if (path === undefined) return false;
  const [itsOwn, wanted] = await Promise.all(
    [path, db].map(one => realpath(one).catch(() => null)),
  );
  return itsOwn !== null && itsOwn === wanted;
}

/** Returns the wanted port if it is free, otherwise any free port. */
export async function freePort(wanted: number): Promise<number> {
  return (await tryPort(wanted)) ?? (await tryPort(0)) ?? 0;
}

async function tryPort(port: number): Promise<number | null> {
  const server = createServer().listen(port, MONGOD_ADDRESS);
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
  const socket = connect(port, MONGOD_ADDRESS);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
