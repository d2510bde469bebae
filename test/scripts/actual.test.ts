import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { installActual } from '../../scripts/actual/install-actual.ts';
import { UserError } from '../../src/process/errors.ts';
import { writeProgram } from '../embedded/fake-binaries.ts';
import { test } from '../helpers/file-test.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const PACKAGE = 'scripts/actual/package';
const LIBRARY = 'node_modules/@actual-app/api';

/** A machine whose npm is a script; `ran` counts its runs. */
async function machine(t: ExecutionContext, npm: string) {
  const folder = await temporaryFolder(t);
  const cache = join(folder, 'cache');
  await writeProgram(
    join(folder, 'npm'),
    `#!/bin/sh\necho run >> '${join(folder, 'runs')}'\n${npm}\n`,
  );
  const lines: string[] = [];
  return {
    cache: join(cache, 'budgeting'),
    lines,
    install: () =>
      installActual(
        { PATH: `${folder}:/usr/bin:/bin`, XDG_CACHE_HOME: cache },
        line => void lines.push(line),
      ),
    ran: async () => (await readFile(join(folder, 'runs'), 'utf8')).split('\n').length - 1,
  };
}

test('the engine is installed once, also for processes that want it at the same time', async t => {
  const { install, cache, lines, ran } = await machine(
    t,
    `mkdir -p ${LIBRARY} && echo '' > ${LIBRARY}/index.js`,
  );
  const folders = await Promise.all([install(), install()]);
  const [folder = ''] = folders;
  t.deepEqual([...new Set(folders), await install()], [folder, folder]);
  t.is(await ran(), 1);
  t.deepEqual((await readdir(folder)).sort(), [
    'node_modules',
    'package-lock.json',
    'package.json',
  ]);
  // The other process may say first that it waits.
  const installing = lines.filter(line => line.startsWith("Installing Actual's own engine once"));
  t.is(installing.length, 1, lines.join('\n'));
  t.is(lines.at(-1), "Installed Actual's own engine");
  const leftover = (await readdir(cache)).filter(
    name => !/^actual-engine-\w+(\.lock)?$/.test(name),
  );
  t.deepEqual(leftover, []);
});

test('an engine that cannot be installed is one line that says why, and leaves nothing behind', async t => {
  const { install, cache } = await machine(
    t,
    `echo 'npm error code ENOTFOUND' >&2
     echo 'npm error syscall connect' >&2
     echo 'npm error network request to https://user:secret@registry.example/api failed' >&2
     exit 1`,
  );
  await t.throwsAsync(install(), {
    instanceOf: UserError,
    message: "Actual's own engine could not be installed (network request to … failed)",
  });
  t.deepEqual(
    (await readdir(cache)).filter(name => !name.endsWith('.lock')),
    [],
  );
});

test('an engine whose library does not load is not kept', async t => {
  const { install } = await machine(t, 'mkdir node_modules');
  await t.throwsAsync(install(), {
    instanceOf: UserError,
    message: /^Actual's own engine could not be installed \(/,
  });
});

test('the versions of the engine are pinned by checksums, without the host of a registry', async t => {
  const lock = JSON.parse(await readFile(join(PACKAGE, 'package-lock.json'), 'utf8'));
  const { dependencies } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'));
  t.deepEqual(dependencies, lock.packages[''].dependencies);
  for (const [name, entry] of Object.entries<Record<string, unknown>>(lock.packages)) {
    if (name === '') continue;
    t.is(typeof entry.integrity, 'string', name);
    t.false('resolved' in entry, name);
  }
});
