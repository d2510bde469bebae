// Rules that no linter checks: sizes of files, leftover marks, plain words, the list of dependencies.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { sourceFiles } from './helpers/source-files.ts';

const LINES_MAX = 250;
/** Tables of cases may be longer. */
const TEST_LINES_MAX = 300;
const root = process.cwd();
const sources = sourceFiles(root, ['src', 'projections', 'schemas', 'scripts', 'test']);

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

test('no source contains a leftover mark, and no test is skipped or singled out', async t => {
  const marks = new RegExp(
    ['FIX', 'ME|TO', 'DO|X', 'XX|test\\.(', 'only|skip|', 'failing)\\('].join(''),
  );
  const found: string[] = [];
  // These helpers skip tests that the machine cannot run. Under CI=true such tests fail instead, but for those that
  // need Actual's own engine, or tools that only a package registry has (fetched.ts).
  const tested = sources.filter(path => !path.startsWith('test/helpers/'));
  for (const path of tested) if (marks.test(await read(path))) found.push(path);
  t.deepEqual(found, []);
});

/** Words that make a text need a second reading; each has a plain replacement. */
const RIDDLES =
  /\b(anew|afresh|whoever|whomever|whom|told|of what is)\b|(^|\. )(Of|To|In) wh(at|om)\b/i;
const COMMENT = /^\s*(?:\/\/|\/\*\*|\*)\s?(.*)/;
const TITLE = /^\s*(?:test|serially)(?:\.serial)?\(['"`](.*)/;

test('comments, titles of tests and pages use plain words', async t => {
  const riddles: string[] = [];
  const pages = ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/operations.md'];
  for (const path of [...sources, ...pages]) {
    const isPage = path.endsWith('.md');
    for (const [index, line] of (await read(path)).split('\n').entries()) {
      const text = isPage ? line : (COMMENT.exec(line) ?? TITLE.exec(line))?.[1];
      if (text !== undefined && RIDDLES.test(text)) riddles.push(`${path}:${index + 1}: ${text}`);
    }
  }
  t.deepEqual(riddles, []);
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
  'mongodb-memory-server-core',
  'negotiator',
  'openid-client',
  'pino',
  'prom-client',
  'sql.js',
  'yauzl',
];

function read(path: string): Promise<string> {
  return readFile(join(root, path), 'utf8');
}
