// What no linter holds: sizes of files, marks left behind, the list of dependencies, names of machines.
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import test from 'ava';

const LINES_MAX = 250;
/** Tables of cases may be longer. */
const TEST_LINES_MAX = 300;
const root = process.cwd();
const sources = await filesIn(['src', 'projections', 'schemas', 'scripts', 'test'], '.ts');

test('no file is longer than 250 lines, no test than 300', async t => {
  const long: string[] = [];
  for (const path of sources) {
    if (path.startsWith('schemas/generated/')) continue;
    const lines = (await read(path)).split('\n').length - 1;
    if (lines > (path.startsWith('test/') ? TEST_LINES_MAX : LINES_MAX))
      long.push(`${path}: ${lines}`);
  }
  t.deepEqual(long, []);
});

test('every source begins with a line that says what it is', async t => {
  const bare: string[] = [];
  for (const path of sources) {
    if (path.startsWith('test/') || path.startsWith('schemas/generated/')) continue;
    if (!/^(#!.*\n)?\/\/ \S/.test(await read(path))) bare.push(path);
  }
  t.deepEqual(bare, []);
});

test('no mark is left behind, no test is narrowed', async t => {
  const marks = new RegExp(
    ['FIX', 'ME|TO', 'DO|X', 'XX|test\\.(', 'only|skip|', 'failing)\\('].join(''),
  );
  const found: string[] = [];
  // What a machine lacks is said by these helpers, which fail in CI instead.
  const tested = sources.filter(path => !path.startsWith('test/helpers/'));
  for (const path of tested) if (marks.test(await read(path))) found.push(path);
  t.deepEqual(found, []);
});

test('the dependencies are the pinned ones of this list', async t => {
  const { dependencies, devDependencies } = JSON.parse(await read('package.json'));
  const all = { ...dependencies, ...devDependencies };
  for (const [name, version] of Object.entries(all))
    t.regex(String(version), /^\d+\.\d+\.\d+$/, name);
  t.deepEqual(Object.keys(dependencies).sort(), DEPENDENCIES);
});

const DEPENDENCIES = [
  '@koa/router',
  'ajv',
  'big.js',
  'cli-progress',
  'csv-parse',
  'fzstd',
  'helmet',
  'kafkajs',
  'kafkajs-snappy',
  'koa',
  'koa-bodyparser',
  'lru-cache',
  'lz4-napi',
  'mongodb',
  'mongodb-memory-server',
  'openid-client',
  'pino',
  'prom-client',
  'sql.js',
];

async function filesIn(folders: readonly string[], extension: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    const names = await readdir(join(root, folder), { recursive: true });
    for (const name of names) if (extname(name) === extension) found.push(`${folder}/${name}`);
  }
  return found.sort();
}

function read(path: string): Promise<string> {
  return readFile(join(root, path), 'utf8');
}
