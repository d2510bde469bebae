// The steps of the Dockerfile, run in a scratch folder as far as they go without a container engine.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

interface Step {
  readonly word: string;
  readonly rest: string;
}

interface Place {
  /** Stands for /app of each stage. */
  readonly app: string;
  /** Stands for /app of the stage before. */
  readonly before: string;
  /** Stands for /usr/local/bin. */
  readonly bin: string;
}

const run = promisify(execFile);
const root = process.cwd();
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');

/** The steps of each stage, without comments; a step that goes on in the next line is one. */
function stages(): Step[][] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n');
  const found: Step[][] = [];
  for (const line of lines.filter(text => text !== '')) {
    const [, word = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    if (word === 'FROM') found.push([]);
    else found.at(-1)?.push({ word, rest });
  }
  return found;
}

async function perform({ word, rest }: Step, { app, before, bin }: Place): Promise<void> {
  if (word === 'COPY') {
    const [from, words] = rest.startsWith('--from=build ')
      ? [before, rest.replace('--from=build ', '').replaceAll('/app/', '')]
      : [root, rest];
    const paths = words.split(' ');
    const to = paths.pop() ?? '';
    for (const path of paths) {
      const isFolder = to !== './' && !to.endsWith('/');
      const target = isFolder ? to : join(to, basename(path));
      await cp(join(from, path), join(app, target), { recursive: true, verbatimSymlinks: true });
    }
  }
  if (word === 'RUN') {
    const command = rest.replaceAll('/app', app).replaceAll('/usr/local/bin', bin);
    // Packages that this machine has fetched before need no network.
    const env = { ...process.env, NODE_ENV: '', npm_config_prefer_offline: 'true' };
    await run('sh', ['-c', command], { cwd: app, env });
  }
}

test('the steps of the image build, and its command starts with the packages that are left', async t => {
  t.timeout(600_000);
  const folder = await temporaryFolder(t);
  const [build = [], image = [], ...more] = stages();
  t.deepEqual(more, [], 'two stages');
  const place = { app: join(folder, 'build'), before: '', bin: join(folder, 'bin') };
  const last = { ...place, app: join(folder, 'app'), before: place.app };
  for (const path of [place.app, last.app, place.bin]) await mkdir(path);
  for (const step of build) await perform(step, place);
  for (const step of image) await perform(step, last);
  t.deepEqual((await readdir(last.app)).sort(), [
    'LICENSE',
    'dist',
    'node_modules',
    'package.json',
  ]);
  const { dependencies, devDependencies } = JSON.parse(
    await readFile(join(last.app, 'package.json'), 'utf8'),
  );
  const has = (name: string) =>
    readdir(join(last.app, 'node_modules', name)).then(
      () => true,
      () => false,
    );
  for (const name of Object.keys(dependencies)) t.true(await has(name), name);
  for (const name of Object.keys(devDependencies)) {
    if (!name.startsWith('@types/')) t.false(await has(name), `${name} is for development only`);
  }
  const entry = image.find(({ word }) => word === 'ENTRYPOINT')?.rest ?? '[]';
  const command = image.find(({ word }) => word === 'CMD')?.rest ?? '[]';
  const [, ...args] = [...JSON.parse(entry), ...JSON.parse(command)];
  const help = await run(process.execPath, args, { cwd: last.app });
  t.regex(help.stdout, /serve/);
  const linked = await run(join(place.bin, 'budgeting'), ['--help'], { cwd: folder });
  t.is(linked.stdout, help.stdout);
});
