// mongodb-memory-server's own download of mongod, in a process of its own: it prints, and has no short timeout.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { MongoBinary } from 'mongodb-memory-server';

/** Until the process runs; from then on until the first byte; then until the next sign of progress. */
const BEGIN_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 4000;
const STALL_TIMEOUT_MS = 30_000;
const STDERR_CHARACTERS_MAX = 2000;

/**
 * Downloads a mongod that suits this machine into a folder; answers its path.
 * Rejects with an Error when the site cannot be reached within a few seconds or stalls, or the signal aborts; nothing
 * is written to the folder any more then.
 */
export function downloadMongod(
  folder: string,
  env: NodeJS.ProcessEnv,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
  signal?: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: childEnvironment(folder, env),
    });
    let errors = '';
    const kill = (): void => void child.kill('SIGKILL');
    const giveUp = (): void => {
      errors = 'the site cannot be reached';
      kill();
    };
    signal?.addEventListener('abort', kill);
    if (signal?.aborted) kill();
    let timer = setTimeout(giveUp, BEGIN_TIMEOUT_MS);
    const patience = (ms: number): void => {
      clearTimeout(timer);
      timer = setTimeout(giveUp, ms);
    };
    child.stdout?.on('data', () => patience(STALL_TIMEOUT_MS));
    child.stderr?.on('data', chunk => {
      errors = (errors + chunk).slice(-STDERR_CHARACTERS_MAX);
    });
    child.on('message', message => {
      const { path, reason } = message as { path?: string; reason?: string };
      if (path !== undefined) resolve(path);
      else if (reason !== undefined) reject(new Error(reason));
      else patience(connectTimeoutMs);
    });
    // What it said last may come after its end.
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
    // Without this the library does not check the site's certificate.
    npm_config_strict_ssl: env.npm_config_strict_ssl ?? 'true',
  };
}

async function downloadHere(): Promise<void> {
  process.send?.({});
  try {
    process.send?.({ path: await MongoBinary.getPath() });
  } catch (error) {
    process.send?.({ reason: (error as Error).message.replaceAll(/\s+/g, ' ') });
  }
  process.disconnect();
}

if (process.argv[1] === import.meta.filename) await downloadHere();
