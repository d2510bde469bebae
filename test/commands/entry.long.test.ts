// The entry of the command line (src/cli.ts) on a Node that is too old, and ports that are taken.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { budgeting } from './started.ts';

const CLI = join(import.meta.dirname, '..', '..', 'src', 'cli.js');

/** Runs the entry on this Node, which gives itself out as another one. */
async function runAs(version: string) {
  const changed = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(changed)}`, CLI, 'help'];
  return await promisify(execFile)(process.execPath, args).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
  );
}

for (const version of ['18.20.8', '20.18.3', '12.22.12']) {
  test(`Node ${version} gets one line, and exit code 1`, async t => {
    t.deepEqual(await runAs(version), {
      code: 1,
      out: '',
      err: `Expected Node 20.19 or later, got ${version}: https://nodejs.org has newer ones\n`,
    });
  });
}

for (const version of ['20.19.0', '21.0.0', '24.3.1']) {
  test(`Node ${version} runs`, async t => {
    const { code, err } = await runAs(version);
    t.deepEqual([code, err], [0, '']);
  });
}

test('the version that is expected is that of package.json and README', async t => {
  const { engines } = JSON.parse(await readFile('package.json', 'utf8'));
  t.is(engines.node, '>=20.19');
  t.true((await readFile('README.md', 'utf8')).includes('Node 20.19 or later'));
});

test('the entry has only syntax that Node 12 parses, and loads nothing before its check', async t => {
  const code = (await readFile(CLI, 'utf8')).replace(/^export \{\};$/m, '');
  // A script has neither imports at the top nor await outside of functions.
  t.notThrows(() => new Script(code));
  t.notRegex(code, /\?\.|\?\?|\|\|=|&&=|#[a-z]|\bawait\b|\bstatic\b/);
});

test('a reader that has enough may close the pipe', async t => {
  const line = `set -o pipefail; '${process.execPath}' '${CLI}' help variables | true`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', line]);
  t.deepEqual([stdout, stderr], ['', '']);
});

test('problems that nobody reads any more change no exit code', async t => {
  const line = `'${process.execPath}' '${CLI}' nonsense 2>&1 | true; echo "$PIPESTATUS"`;
  t.is((await promisify(execFile)('bash', ['-c', line])).stdout, '2\n');
});

async function takenPort(t: ExecutionContext): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

for (const command of ['start', 'serve']) {
  for (const variable of ['PORT', 'MANAGEMENT_PORT']) {
    test(`${command}: a taken ${variable} is named before anything is started`, async t => {
      const folder = join(await temporaryFolder(t), 'data');
      const port = await takenPort(t);
      // There is no such mongod, and nobody listens there: the port is refused before either is noticed.
      const parts = command === 'start' ? { MONGOMS_SYSTEM_BINARY: '/no/such' } : { MONGODB_URL };
      const env = { PORT: '0', DATA_DIR: folder, ...parts, [variable]: String(port) };
      const { code, err } = await budgeting([command], env).ended;
      t.is(
        err,
        `Expected to listen on 127.0.0.1:${port}, but it is in use: set ${variable} to another, or to 0 for any free one\n`,
      );
      t.is(code, 1);
      await t.throwsAsync(access(join(folder, 'mongo')), { code: 'ENOENT' });
    });
  }
}

const MONGODB_URL = 'mongodb://127.0.0.1:1/?replicaSet=rs0';

for (const variable of ['KAFKA_BROKERS', 'EVENTS_TOPIC', 'PUBLIC_URL', 'HOST']) {
  test(`an address in the wrong variable shows no password: ${variable}`, async t => {
    const address = 'mongodb://user:S3C@S3CRET@db/?replicaSet=rs0';
    const { code, err } = await budgeting(['serve'], { MONGODB_URL, [variable]: address }).ended;
    t.not(code, 0);
    t.regex(err, /mongodb:\/\/\(not shown\)@db/);
    t.notRegex(err, /S3C/);
  });
}

test('one port for both is refused as well', async t => {
  const port = String(await takenPort(t));
  const { err } = await budgeting(['serve'], { PORT: port, MANAGEMENT_PORT: port, MONGODB_URL })
    .ended;
  t.regex(err, /set MANAGEMENT_PORT to another/);
});
