// The folder of an embedded system: locked by one process at a time, with its addresses in a file for other commands.
import { chmod, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UserError } from '../process/errors.ts';
import { explainFiles, fileErrorCode, fileProblem } from '../process/file-errors.ts';
import { makeFolders } from '../process/make-folders.ts';
import { isRunning, ownIdentity, type ProcessIdentity } from '../process/process-identity.ts';
import { acquireLock } from '../process/process-lock.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';

/** Addresses of a running system. */
export interface SystemEndpoint {
  /** Includes user and password. */
  readonly mongodbUrl: string;
  readonly logFolder: string;
  /** Address of the API, such as `http://127.0.0.1:3000`. */
  readonly apiAddress: string;
}

export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  readonly mongoFolder: string;
  readonly logFolder: string;
  /** Publishes the addresses for other commands; until then they find no system. */
  publish(endpoint: SystemEndpoint): Promise<void>;
  /** Writes a secret into a file that only its owner can read. Returns the path. */
  keepSecret(name: string, secret: string): Promise<string>;
  /** Removes the published addresses and unlocks the folder. */
  close(): Promise<void>;
}

const NAMES = { mongo: 'mongo', log: 'log', endpoint: 'endpoint.json', lock: 'lock' };
/** Problems of the machine exit with code 1; all others are bad configuration, with code 2. */
const MACHINE_PROBLEMS: readonly string[] = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EIO'];
/** Exists on a new volume. */
const IGNORED = 'lost+found';

/**
 * Locks the folder for this process; creates it (mode 0700) if it is missing.
 *
 * @throws UserError that says where the other process runs if one has the lock, or why the path cannot be used
 */
export async function openDataFolder(dataDir: string): Promise<DataFolder> {
  const path = resolve(dataDir);
  await makePrivate(path);
  const unwritable = `The data folder ${path} cannot be written to`;
  const lock = await explainFiles(unwritable, () => acquireLock(join(path, NAMES.lock)));
  if (!lock.acquired) throw await inUse(path, lock.holderPid);
  const endpointPath = join(path, NAMES.endpoint);
  const owner = await ownIdentity();
  const explained = (write: () => Promise<void>) => explainFiles(unwritable, write);
  return {
    path,
    mongoFolder: join(path, NAMES.mongo),
    logFolder: join(path, NAMES.log),
    publish: endpoint => explained(() => writePrivateJson(endpointPath, { ...endpoint, ...owner })),
    async keepSecret(name, secret) {
      const file = join(path, name);
      await explained(() => writeFile(file, `${secret}\n`, { mode: 0o600 }));
      return file;
    },
    close: async () => {
      await rm(endpointPath, { force: true });
      await lock.release();
    },
  };
}

/**
 * Returns the addresses of the system that runs on this folder, or null if none runs.
 *
 * @throws UserError if they cannot be read
 */
export async function readEndpoint(
  dataDir: string,
): Promise<(SystemEndpoint & { pid: number }) | null> {
  const path = join(resolve(dataDir), NAMES.endpoint);
  const read = () => readPrivateJson<SystemEndpoint & ProcessIdentity>(path);
  const endpoint = await explainFiles(`Cannot read ${path}`, read);
  return endpoint !== null && (await isRunning(endpoint)) ? endpoint : null;
}

async function inUse(path: string, pid: number): Promise<UserError> {
  const endpoint = await readEndpoint(path);
  const where = endpoint === null ? 'which is starting' : `at ${endpoint.apiAddress}`;
  return new UserError(
    `The data folder ${path} is in use by process ${pid}, ${where}; ` +
      'stop that one first, or name another folder in DATA_DIR',
  );
}

/**
 * Returns whether the folder is empty, or has what only this service writes. The names alone say little: others have
 * folders named `log` or `lock` too.
 */
async function isFree(path: string): Promise<boolean> {
  const names = (await readdir(path)).filter(name => name !== IGNORED);
  // No names for a file, or for nothing.
  const locks = await readdir(join(path, NAMES.lock)).catch((): string[] => []);
  // A start that was killed while it took the lock left no more than that.
  const isBegun = names.every(name => name === NAMES.lock) && locks.every(isDraft);
  if (isBegun || locks.some(isLock)) return true;
  const fields = async (...file: string[]) =>
    Object.keys((await readPrivateJson<object>(join(path, ...file)).catch(() => null)) ?? {});
  return (
    (await fields(NAMES.log, 'log.json')).includes('partitions') ||
    (await fields(NAMES.mongo, 'last-run.json')).includes('port') ||
    (await fields(NAMES.endpoint)).includes('mongodbUrl')
  );
}

const isLock = (name: string) => /^\d{6,}$/.test(name);
const isDraft = (name: string) => name.endsWith('.tmp');

async function makePrivate(path: string): Promise<void> {
  try {
    await makeFolders(path, 0o700);
    // It may be a home folder: closing it to other users, or writing into it, would do harm.
    if (!(await isFree(path))) throw new Error('it holds other files');
    await chmod(path, 0o700);
  } catch (error) {
    const code = fileErrorCode(error);
    if (code !== null && code !== 'EEXIST' && code !== 'ENOTDIR') {
      const message = `The data folder ${path} cannot be written to: ${fileProblem(code)}`;
      throw new UserError(message, {
        exitCode: MACHINE_PROBLEMS.includes(code) ? 1 : 2,
        cause: error,
      });
    }
    throw new UserError(
      `DATA_DIR must be an empty folder or one of this service, but ${path} is not: ` +
        (error as Error).message,
      { exitCode: 2, cause: error },
    );
  }
}
