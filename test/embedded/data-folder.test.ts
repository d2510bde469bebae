import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { openDataFolder, readEndpoint } from '../../src/embedded/data-folder.ts';
import { UserError } from '../../src/process/errors.ts';
import { smallDisk } from '../helpers/small-disk.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const ENDPOINT = {
  mongodbUrl: 'mongodb://budgeting:secret@127.0.0.1:27018/',
  logFolder: '/somewhere/log',
  apiAddress: 'http://127.0.0.1:3000',
};

const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

test('rules/running.md#the-data-folder: data/ is 0700, and endpoint.json is 0600 and removed on close', async t => {
  const path = join(await temporaryFolder(t), 'deep', 'data');
  const folder = await openDataFolder(path);
  t.is(await mode(path), 0o700);
  t.is(await readEndpoint(path), null);
  await folder.publish(ENDPOINT);
  t.is(await mode(join(path, 'endpoint.json')), 0o600);
  t.like(await readEndpoint(path), { ...ENDPOINT, pid: process.pid });
  await folder.close();
  t.is(await readEndpoint(path), null);
  t.deepEqual(await readdir(path), ['lock']);
});

test('opening closes a folder to other users', async t => {
  const path = join(await temporaryFolder(t), 'data');
  await (await openDataFolder(path)).close();
  await chmod(path, 0o755);
  const folder = await openDataFolder(path);
  t.is(await mode(path), 0o700);
  await folder.close();
});

test('rules/running.md#the-data-folder: a second start on the same folder says where the first one runs', async t => {
  const path = await temporaryFolder(t);
  const folder = await openDataFolder(path);
  const second = () => openDataFolder(path);
  const inUse = `The data folder ${path} is in use by process ${process.pid}, `;
  const advice = '; stop that one first, or name another folder in DATA_DIR';
  await t.throwsAsync(second, {
    instanceOf: UserError,
    message: `${inUse}which is starting${advice}`,
  });
  await folder.publish(ENDPOINT);
  await t.throwsAsync(second, { message: `${inUse}at http://127.0.0.1:3000${advice}` });
  await folder.close();
  await (await second()).close();
});

test('the endpoint of a killed process does not count', async t => {
  const path = await temporaryFolder(t);
  const left = { ...ENDPOINT, pid: 2 ** 22 + 1, started: '1' };
  await writeFile(join(path, 'endpoint.json'), JSON.stringify(left));
  t.is(await readEndpoint(path), null);
  await (await openDataFolder(path)).close();
});

test('a folder with other files in it, or a file, is refused as bad configuration', async t => {
  const base = await temporaryFolder(t);
  await writeFile(join(base, 'letter.txt'), '');
  await t.throwsAsync(() => openDataFolder(base), {
    instanceOf: UserError,
    message: `DATA_DIR must be an empty folder or one of this service, but ${base} is not: it holds other files`,
  });
  const error = await t.throwsAsync(() => openDataFolder(join(base, 'letter.txt')), {
    instanceOf: UserError,
  });
  t.is((error as UserError | undefined)?.exitCode, 2);
});

for (const names of [['log'], ['lock'], ['mongo', 'lock'], ['log', 'lock', 'mongo']]) {
  test(`a home folder with folders named ${names.join(', ')} is refused, and stays open to others`, async t => {
    const base = await temporaryFolder(t);
    await chmod(base, 0o755);
    for (const name of names) {
      await mkdir(join(base, name));
      await writeFile(join(base, name, 'letter.txt'), '');
    }
    await writeFile(join(base, 'endpoint.json'), '{"mine":true}');
    await t.throwsAsync(() => openDataFolder(base), { message: /: it holds other files$/ });
    t.is(await mode(base), 0o755);
    t.deepEqual((await readdir(base)).sort(), [...names, 'endpoint.json'].sort());
    for (const name of names) t.deepEqual(await readdir(join(base, name)), ['letter.txt']);
  });
}

// Other systems have no /proc.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a folder where the system has none to give is refused at once', async t => {
  for (const path of ['/proc/x', '/proc/1/x/y']) {
    const error = await t.throwsAsync(() => openDataFolder(path), { instanceOf: UserError });
    t.is((error as UserError | undefined)?.exitCode, 2, error?.message);
  }
});

test('folders above it are made too', async t => {
  const base = await temporaryFolder(t);
  const path = join(base, 'a', 'b', 'data');
  await (await openDataFolder(path)).close();
  t.is(await mode(path), 0o700);
});

test('a folder of this service is known by its lock, its log or its database, also from a backup', async t => {
  const path = join(await temporaryFolder(t), 'data');
  const opens = async () => await (await openDataFolder(path)).close();
  await opens();
  await opens();
  const parts = [
    ['log', 'log.json', '{"format":1,"partitions":4}'],
    ['mongo', 'last-run.json', '{"port":27018,"pid":7}'],
  ] as const;
  for (const [folder, file, text] of parts) {
    await rm(path, { recursive: true });
    await mkdir(join(path, folder), { recursive: true });
    await writeFile(join(path, folder, file), text);
    await t.notThrowsAsync(opens, file);
  }
  await rm(path, { recursive: true });
  await mkdir(join(path, 'lock'), { recursive: true });
  await writeFile(join(path, 'lock', '7-00.tmp'), '');
  await t.notThrowsAsync(opens, 'a start that was killed');
});

test('a folder without write permission is refused with the reason', async t => {
  // Nobody can create folders there, not even root.
  const error = await t.throwsAsync(() => openDataFolder('/sys/budgeting'), {
    instanceOf: UserError,
    message: /^The data folder \/sys\/budgeting cannot be written to: .* \(E\w+\); /,
  });
  t.is(error?.exitCode, 2);
});

test('a folder on a read-only disk, and on a full one, is refused with the reason', async t => {
  const disk = await smallDisk(t, 100_000);
  if (disk === null) return void t.pass();
  const path = join(disk.folder, 'data');
  await (await openDataFolder(path)).close();
  await disk.fill();
  const unwritable = `The data folder ${path} cannot be written to: `;
  const full = await t.throwsAsync(() => openDataFolder(path), {
    instanceOf: UserError,
    message: `${unwritable}the disk is full (ENOSPC); free space on it, then try again`,
  });
  t.is(full?.exitCode, 1);
  await disk.free();
  const folder = await openDataFolder(path);
  await disk.fill();
  const message = /the disk is full \(ENOSPC\)/;
  await t.throwsAsync(folder.publish(ENDPOINT), { instanceOf: UserError, message });
  await t.throwsAsync(folder.keepSecret('token', 'x'), { instanceOf: UserError, message });
  await folder.close();
  await disk.free();
  await disk.readOnly();
  const readOnly = await t.throwsAsync(() => openDataFolder(path), {
    instanceOf: UserError,
    message: `${unwritable}the file system is read-only (EROFS); mount it writable, or name another folder in DATA_DIR`,
  });
  t.is(readOnly?.exitCode, 2);
});

test('an unreadable endpoint is reported as such, and not as a system that does not run', async t => {
  const path = join(await temporaryFolder(t), 'data');
  await writeFile(path, '');
  await t.throwsAsync(() => readEndpoint(path), {
    instanceOf: UserError,
    message: `Cannot read ${path}/endpoint.json: a file stands where a folder is expected (ENOTDIR); move the file away, or name another folder in DATA_DIR`,
  });
});
