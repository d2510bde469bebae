// The embedded MongoDB: a single-node replica set on 127.0.0.1 that stores its data in a folder.
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UserError } from '../process/errors.ts';
import { explainFiles } from '../process/file-errors.ts';
import { makeFolders } from '../process/make-folders.ts';
import { acquireLock } from '../process/process-lock.ts';
import { prepareReplicaSet, replicaSetUrl } from '../store/admin.ts';
import { deathOf, rotateLog, startFailure } from './mongod-log.ts';
import {
  endOrphan,
  freePort,
  listens,
  MONGOD_ADDRESS,
  type MongodFiles,
  REPLICA_SET,
  spawnMongod,
  stopChild,
} from './mongod-process.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';

const ATTEMPTS_MAX = 3;
/** Long, because mongod may have to replay a large journal first. */
const LISTEN_TIMEOUT_MS = 120_000;
/** Long, because after a change of port mongod first contacts its old port, and waits 30 s if that is silent. */
const PRIMARY_TIMEOUT_MS = 90_000;
const EXIT_ADDRESS_IN_USE = 48;
const USER = 'budgeting';

export interface StartMongodOptions {
  /** Path of the mongod binary. */
  readonly binary: string;
  /** Of the binary; kept for the next start, which takes one that can read the data. */
  readonly version?: string;
  /** Stores between runs: the database in `db`, mongod's log, the password, the port and version of the last run. */
  readonly folder: string;
  /** The preferred port (default: that of the last run). If it is in use, mongod gets any free port. */
  readonly port?: number;
  /** Receives one line about each event that a person may want to know. */
  readonly report?: (line: string) => void;
}

export interface RunningMongod {
  /** Connection string with user and password. */
  readonly url: string;
  readonly pid: number;
  /** Resolves if mongod ends without `stop`; otherwise never. */
  readonly died: Promise<UserError>;
  /** Shuts mongod down cleanly, in under 10 s; further calls wait for the same shutdown. */
  stop(): Promise<void>;
}

interface Files extends MongodFiles {
  readonly lock: string;
  readonly password: string;
  readonly lastRun: string;
}

interface LastRun {
  readonly port: number;
  readonly pid: number;
  /** Of mongod; releases before 1.2 did not keep it. */
  readonly version?: string | undefined;
}

/** Returns the version of the mongod that wrote a folder; undefined for a new folder, and those of earlier releases. */
export async function lastVersion(folder: string): Promise<string | undefined> {
  return (await readPrivateJson<LastRun>(filesOf(resolve(folder)).lastRun))?.version;
}

/**
 * Starts a mongod on a folder; creates the folder if it is missing.
 *
 * @throws UserError if another process uses the folder, or mongod does not start on it
 */
export function startMongod(options: StartMongodOptions): Promise<RunningMongod> {
  const folder = resolve(options.folder);
  return explainFiles(`Cannot keep a database in ${folder}`, () => startIn(folder, options));
}

async function startIn(folder: string, options: StartMongodOptions): Promise<RunningMongod> {
  const files = filesOf(folder);
  await makeFolders(files.db, 0o700);
  await chmod(folder, 0o700);
  const lastRun = await readPrivateJson<LastRun>(files.lastRun);
  const lock = await acquireLock(files.lock);
  if (!lock.acquired) {
    const where =
      lastRun === null ? '' : `, its MongoDB listens on ${MONGOD_ADDRESS}:${lastRun.port}`;
    throw new UserError(`The database in ${folder} is in use by process ${lock.holderPid}${where}`);
  }
  try {
    const orphan = await endOrphan(files);
    if (orphan !== null) options.report?.(`Ended mongod ${orphan}, left behind by an earlier run`);
    const wanted = options.port ?? lastRun?.port ?? 0;
    const port = await freePort(wanted);
    if (wanted !== 0 && port !== wanted) {
      options.report?.(`Port ${wanted} is taken, MongoDB moves to ${port}`);
    }
    const version = options.version ?? lastRun?.version;
    const running = await startOn(files, { ...options, version, port, wrote: lastRun?.version });
    return stoppable(running, files, lock.release);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function filesOf(folder: string): Files {
  return {
    db: join(folder, 'db'),
    key: join(folder, 'key'),
    log: join(folder, 'mongod.log'),
    lock: join(folder, 'lock'),
    password: join(folder, 'password'),
    lastRun: join(folder, 'last-run.json'),
  };
}

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly pid: number;
  /** Byte of the log at which this run's lines begin. */
  readonly logFrom: number;
}

interface StartOn {
  readonly binary: string;
  readonly version: string | undefined;
  readonly port: number;
  /** The version of the last run. */
  readonly wrote: string | undefined;
}

async function startOn(files: Files, options: StartOn): Promise<Started> {
  const { version, wrote } = options;
  const password = await secret(files.password, 24);
  // mongod requires a key file for a replica set with users, even with one member.
  const key = await secret(files.key, 96);
  const logFrom = await rotateLog(files.log);
  const { child, port } = await spawnListening(files, options, logFrom);
  const host = `${MONGOD_ADDRESS}:${port}`;
  const access = { host, replicaSet: REPLICA_SET, user: USER, password };
  try {
    await prepareReplicaSet(access, key, PRIMARY_TIMEOUT_MS);
    const pid = child.pid ?? 0;
    await writePrivateJson(files.lastRun, { port, pid, version } satisfies LastRun);
    return { child, url: replicaSetUrl(access), pid, logFrom };
  } catch (error) {
    const failure = await startFailure({ child, files, logFrom, wrote }, error);
    await stopChild(child);
    throw failure;
  }
}

async function spawnListening(
  files: Files,
  { binary, port: firstPort, wrote }: StartOn,
  logFrom: number,
): Promise<{ child: ChildProcess; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = attempt === 1 ? firstPort : await freePort(0);
    const child = spawnMongod(binary, port, files);
    if (await listens(child, port, LISTEN_TIMEOUT_MS)) return { child, port };
    // Another process took the port in the meantime.
    if (child.exitCode === EXIT_ADDRESS_IN_USE && attempt < ATTEMPTS_MAX) continue;
    const failure = await startFailure({ child, files, logFrom, wrote });
    await stopChild(child);
    throw failure;
  }
}

function stoppable(
  { child, url, pid, logFrom }: Started,
  files: Files,
  release: () => Promise<void>,
): RunningMongod {
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await stopChild(child);
    await release();
  };
  const died = new Promise<UserError>(resolve => {
    child.once('exit', () => {
      if (stopping === undefined) resolve(deathOf({ child, files, logFrom }));
    });
  });
  return {
    url,
    pid,
    died,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** Returns the secret in a file that only its owner can read; creates it at the first start. */
async function secret(path: string, bytes: number): Promise<string> {
  const known = await readFile(path, 'utf8').catch(error => {
    if (error.code !== 'ENOENT') throw error;
    return '';
  });
  if (known !== '') return known;
  const created = randomBytes(bytes).toString('hex');
  await writeFile(path, created, { mode: 0o600, flush: true });
  return created;
}
