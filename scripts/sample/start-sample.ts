// The whole product on its sample history, as a process of its own in a temporary folder, with limits that no flood meets.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const CLI = join(import.meta.dirname, '..', '..', 'src', 'cli.js');

export interface SampleService {
  /** The URL of the API, with its version. */
  readonly api: string;
  /** The URL of the management port. */
  readonly operators: string;
  /** A token of the sample's user. */
  readonly token: string;
  /** The environment in which commands reach it. */
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

const UNLIMITED = '100000000';
const LIMITS = [
  'RATE_LIMIT_IP_PER_MINUTE',
  'RATE_LIMIT_TOKEN_READS_PER_MINUTE',
  'RATE_LIMIT_TOKEN_WRITES_PER_MINUTE',
  'RATE_LIMIT_USER_PER_MINUTE',
  'RATE_LIMIT_USER_PER_DAY',
];
const LAST_LINE = /^Try /m;

export async function startSample(signal: AbortSignal): Promise<SampleService> {
  const folder = await mkdtemp(join(tmpdir(), 'budgeting-sample-'));
  const env = {
    ...process.env,
    ...Object.fromEntries(LIMITS.map(name => [name, UNLIMITED])),
    // Neither the database nor the broker of anybody else.
    ...{ MONGODB_URL: '', KAFKA_BROKERS: '', DATA_DIR: folder, PORT: '0', MANAGEMENT_PORT: '0' },
  };
  const child = spawn(process.execPath, [CLI, 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  signal.addEventListener('abort', () => child.kill('SIGTERM'));
  let out = '';
  child.stdout.on('data', chunk => {
    out += chunk;
  });
  while (!LAST_LINE.test(out)) {
    if (child.exitCode !== null) throw new Error(`Expected the sample to start, got: ${out}`);
    await Promise.race([once(child.stdout, 'data'), ended]);
  }
  const of = (pattern: RegExp) => pattern.exec(out)?.[1] ?? '';
  return {
    api: of(/^Read API +(\S+)$/m),
    operators: of(/^Operators +(\S+?)\/?$/m),
    token: (await readFile(join(folder, 'token'), 'utf8')).trim(),
    env,
    stop,
  };
}
