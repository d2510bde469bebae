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
  /** Contains a folder for each stage, which stands for its /app. */
  readonly stages: string;
  /** Stands for /usr/local/bin. */
  readonly bin: string;
}

const run = promisify(execFile);
const root = process.cwd();
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');

interface Stage {
  /** Empty for the last one. */
  readonly name: string;
  readonly steps: Step[];
}

/** The steps of each stage, without comments; a step that goes on in the next line is one. */
function stages(): Stage[] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n');
  const found: Stage[] = [];
  for (const line of lines.filter(text => text !== '')) {
    const [, word = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    const [, name = ''] = / AS (\w+)$/.exec(rest) ?? [];
    if (word === 'FROM') found.push({ name, steps: [] });
    else found.at(-1)?.steps.push({ word, rest });
  }
  return found;
}

async function perform({ word, rest }: Step, { app, stages: made, bin }: Place): Promise<void> {
  if (word === 'COPY') {
    const [, stage = '', words = rest] = /^--from=(\w+) (.*)$/.exec(rest) ?? [];
    const from = stage === '' ? root : join(made, stage);
    const paths = words.replaceAll(/(^| )\/app\//g, '$1').split(' ');
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
  const folder = await temporaryFolder(t);
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const made = stages();
  t.deepEqual(
    made.map(({ name }) => name),
    ['packages', 'build', ''],
  );
  for (const { name, steps } of made) {
    const place = { app: join(folder, name || 'app'), stages: folder, bin };
    await mkdir(place.app);
    for (const step of steps) await perform(step, place);
  }
  const app = join(folder, 'app');
  const image = made.at(-1)?.steps ?? [];
  t.deepEqual((await readdir(app)).sort(), ['LICENSE', 'dist', 'node_modules', 'package.json']);
  const { dependencies, devDependencies } = JSON.parse(
    await readFile(join(app, 'package.json'), 'utf8'),
  );
  const has = (name: string) =>
    readdir(join(app, 'node_modules', name)).then(
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
  const help = await run(process.execPath, args, { cwd: app });
  t.regex(help.stdout, /serve/);
  const linked = await run(join(bin, 'budgeting'), ['--help'], { cwd: folder });
  t.is(linked.stdout, help.stdout);
});
