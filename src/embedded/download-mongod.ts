// Downloads mongod with mongodb-memory-server in a child process, because it prints and has no short timeout.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readFile, unlink } from 'node:fs/promises';
import { MongoBinary } from 'mongodb-memory-server';
import { MongoBinaryDownload } from 'mongodb-memory-server-core/lib/util/MongoBinaryDownload.js';

/** Until the child process runs. */
const START_TIMEOUT_MS = 30_000;
/** Then until the site's first byte. */
const CONNECT_TIMEOUT_MS = 4000;
/** Then between signs of progress. */
const STALL_TIMEOUT_MS = 30_000;
const STDERR_CHARACTERS_MAX = 2000;

export interface DownloadOptions {
  readonly env: NodeJS.ProcessEnv;
  /** How long the site may take to send the first byte (default 4 s). */
  readonly connectTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Downloads a mongod for this machine into a folder. Returns its path.
 *
 * Rejects with an Error if the site is unreachable or stalls, or the signal aborts; afterwards nothing more is written
 * to the folder.
 */
export function downloadMongod(folder: string, options: DownloadOptions): Promise<string> {
  const { env, connectTimeoutMs = CONNECT_TIMEOUT_MS, signal } = options;
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: childEnvironment(folder, env),
    });
    let errors = '';
    const kill = (): void => void child.kill('SIGKILL');
    const timeOut = (): void => {
      errors = 'the site cannot be reached';
      kill();
    };
    signal?.addEventListener('abort', kill);
    if (signal?.aborted) kill();
    let timer = setTimeout(timeOut, START_TIMEOUT_MS);
    const restartTimer = (ms: number): void => {
      clearTimeout(timer);
      timer = setTimeout(timeOut, ms);
    };
    child.stdout?.on('data', () => restartTimer(STALL_TIMEOUT_MS));
    child.stderr?.on('data', chunk => {
      errors = (errors + chunk).slice(-STDERR_CHARACTERS_MAX);
    });
    child.on('message', message => {
      const { path, reason } = message as { path?: string; reason?: string };
      if (path !== undefined) resolve(path);
      else if (reason !== undefined) reject(new Error(reason));
      else restartTimer(connectTimeoutMs);
    });
    // Its last message may arrive after its exit.
    const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
    ended
      .then(() => reject(new Error(errors.trim().split('\n').at(-1))), reject)
      .finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', kill);
      });
  });
}

function childEnvironment(folder: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...env,
    MONGOMS_DOWNLOAD_DIR: folder,
    MONGOMS_MAX_RETRIES: '1',
    // The library checks the site's certificate only with this setting.
    npm_config_strict_ssl: env.npm_config_strict_ssl ?? 'true',
  };
}

/** The library checks an archive by MD5; MongoDB's site has the SHA-256 of each beside it. */
async function checkArchive(
  this: MongoBinaryDownload,
  md5Address: string,
  archive: string,
): Promise<true> {
  const list = await this.download(md5Address.replace(/\.md5$/, '.sha256'));
  const expected = (await readFile(list, 'utf8')).trim().split(/\s/)[0]?.toLowerCase();
  await unlink(list);
  const hash = createHash('sha256');
  for await (const part of createReadStream(archive)) hash.update(part);
  const sha256 = hash.digest('hex');
  if (sha256 === expected) return true;
  await unlink(archive);
  throw new Error(`The archive has SHA-256 ${sha256}, expected ${expected}`);
}

async function downloadHere(): Promise<void> {
  MongoBinaryDownload.prototype.makeMD5check = checkArchive;
  process.send?.({});
  try {
    process.send?.({ path: await MongoBinary.getPath() });
  } catch (error) {
    process.send?.({ reason: (error as Error).message.replaceAll(/\s+/g, ' ') });
  }
  process.disconnect();
}

if (process.argv[1] === import.meta.filename) void downloadHere();
