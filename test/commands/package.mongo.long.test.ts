// The package that `npm pack` makes runs from an empty folder, with nothing of the checkout.
import { execFile, spawn } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { collectOutput } from './started.ts';

const run = promisify(execFile);
/** The build is that of the tests; packages that this machine has fetched before need no network. */
const QUIET = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];

test('a package starts the service in an empty folder, and answers', async t => {
  const folder = await temporaryFolder(t);
  const place = join(folder, 'place');
  await mkdir(place);
  const packed = await run('npm', ['pack', ...QUIET, '--json', '--pack-destination', folder]);
  const [{ files }] = JSON.parse(packed.stdout);
  const paths: string[] = files.map(({ path }: { path: string }) => path);
  const outside = paths.filter(path => !/^dist\/(?:projections|schemas|src)\//.test(path));
  t.deepEqual(outside.sort(), ['LICENSE', 'README.md', 'package.json']);
  const [archive = ''] = (await readdir(folder)).filter(name => name.endsWith('.tgz'));
  await writeFile(join(place, 'package.json'), '{"private": true}');
  await run('npm', ['install', ...QUIET, join(folder, archive)], { cwd: place });

  const help = await run('npx', ['--no-install', 'budgeting', '--help'], { cwd: place });
  t.regex(help.stdout, /serve/);
  const env = { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '0', MANAGEMENT_PORT: '0' };
  const program = join(place, 'node_modules', '.bin', 'budgeting');
  const started = collectOutput(spawn(program, ['start'], { cwd: place, env }));
  const out = await started.printed(/goes on where it stopped/);
  const api = /Read API\s+(\S+)/.exec(out)?.[1] ?? '';
  const description = await fetch(`${api}/openapi.json`);
  t.is(description.status, 200);
  t.is((await fetch(new URL('/docs', api))).status, 200);
  t.is((await fetch(`${api}/budgets`)).status, 401);
  started.child.kill('SIGTERM');
  t.is((await started.ended).code, 0);
});
