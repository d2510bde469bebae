// Every test file is in one set, which its name says.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { groupFiles, sharingOf } from '../../scripts/test/group-files.ts';
import { parseTestArguments } from '../../scripts/test/parse-test-arguments.ts';
import { isInSet, type TestSet, testFileOf, testFilesIn } from '../../scripts/test/test-files.ts';
import { UserError } from '../../src/process/errors.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const sources = testFilesIn(process.cwd());

function setsOf(path: string): TestSet[] {
  const sets: TestSet[] = ['unit', 'short', 'rest', 'all'];
  return sets.filter(set => isInSet(set, testFileOf(path)));
}

test('the name of a file says its needs and its set', t => {
  t.deepEqual(testFileOf('test/http/months.mongo.kafka.long.test.ts'), {
    path: 'test/http/months.mongo.kafka.long.test.ts',
    needs: ['mongo', 'kafka'],
    pace: 'long',
  });
  t.deepEqual(setsOf('test/process/log.test.ts'), ['unit', 'short', 'all']);
  t.deepEqual(setsOf('test/log.long.test.ts'), ['rest', 'all']);
  t.deepEqual(setsOf('test/log.model.test.ts'), ['short', 'all']);
  t.deepEqual(setsOf('test/log.mongo.kafka.test.ts'), ['short', 'all']);
  t.deepEqual(setsOf('test/log.kafka.long.test.ts'), ['rest', 'all']);
  for (const need of ['browser', 'programs', 'actual']) {
    t.deepEqual(setsOf(`test/log.${need}.test.ts`), ['rest', 'all'], need);
  }
});

test('a name with another word is refused', t => {
  for (const name of [
    'a.mongod',
    'a.kafka.mongo',
    'a.long.mongo',
    'a.model.long',
    'a.mongo.mongo',
  ]) {
    t.throws(() => testFileOf(`test/${name}.test.ts`), { instanceOf: UserError }, name);
  }
});

test('no file is left out of the whole, and none is in both of its halves', t => {
  t.true(sources.length > 300);
  for (const file of sources) {
    t.true(isInSet('all', file), file.path);
    t.is(isInSet('short', file), !isInSet('rest', file), file.path);
  }
});

test('a file that starts a server says so in its name', t => {
  const helpers: readonly (readonly [string, RegExp])[] = [
    ['mongo', /\buse(?:Failing|KafkaAnd)?Mongo\(|\bstart(?:Own|Single)?Mongo\(/],
    ['kafka', /\buseKafka(?:AndMongo)?\(|\bownKafka\(|\bkafkaTest\(/],
    ['browser', /\bstartBrowser\(/],
    ['programs', /\b(?:missingPrograms|useScene)\(/],
    ['actual', /\bactualTest\(/],
  ];
  const wrong: string[] = [];
  for (const { path, needs } of sources) {
    if (path === 'test/scripts/test-files.test.ts') continue;
    const text = readFileSync(path, 'utf8');
    for (const [need, used] of helpers) {
      const says = needs.some(name => name === need);
      if (used.test(text) && !says) wrong.push(`${path} lacks .${need}`);
    }
  }
  t.deepEqual(wrong, []);
});

test('a set, or files by name or pattern, and what is for ava', t => {
  const all = ['a', 'b.mongo', 'http/c', 'http/d.kafka', 'e.browser'].map(name =>
    testFileOf(`test/${name}.test.ts`),
  );
  const named = (...args: string[]) =>
    parseTestArguments(args, all).files.map(({ path }) => path.slice('test/'.length, -8));
  t.deepEqual(named(), ['a', 'b.mongo', 'http/c', 'http/d.kafka']);
  t.deepEqual(named('--unit'), ['a', 'http/c']);
  t.deepEqual(named('--rest'), ['e.browser']);
  t.deepEqual(named('--all').length, 5);
  t.deepEqual(named('test/b.mongo.test.ts', './test/a.test.ts'), ['b.mongo', 'a']);
  t.deepEqual(named('dist/test/http/c.test.js', '--match', '*x*'), ['http/c']);
  t.deepEqual(named('test/*.test.ts'), ['a', 'b.mongo', 'e.browser']);
  t.deepEqual(named('test/**/{a,c}.test.ts'), ['a', 'http/c']);
  t.deepEqual(parseTestArguments(['--match', '*x*', '--serial'], all).options, [
    '--match',
    '*x*',
    '--serial',
  ]);
  t.throws(() => named('test/z.test.ts'), {
    instanceOf: UserError,
    message: 'Expected names of test files, got test/z.test.ts',
  });
});

test('a file shares its process when others neither disturb it nor notice it', t => {
  t.is(sharingOf("test('a', t => t.is(process.env.A, '1'))"), 'at once');
  t.is(sharingOf("test('a', async t => t.is(await readFile('a'), 'a'))"), 'in turns');
  for (const own of [
    'setTimeout(f, 5)',
    'process.env.A',
    'test.serial("b", f)',
    'test.before(f)',
  ]) {
    t.is(sharingOf(`test('a', async t => {}); ${own}`), null, own);
  }
  const apart = "import { test } from '../helpers/file-test.ts';\ntest.before(async () => {});\n";
  t.is(sharingOf(apart), 'file after file');
  t.is(sharingOf(`${apart}useFailingMongo(test);`), 'at one server');
});

test('short files with a mongod share their processes', t => {
  const paths = sources
    .filter(({ needs, pace }) => needs.join() === 'mongo' && pace === null)
    .map(({ path }) => path);
  t.true(paths.length > 100);
  t.deepEqual(
    paths.filter(
      path =>
        !/^(?:file after file|at one server)$/.test(`${sharingOf(readFileSync(path, 'utf8'))}`),
    ),
    [],
  );
});

test('groups import each file once, and nothing of an earlier run', async t => {
  const root = await temporaryFolder(t);
  const paths = ['a', 'b', 'c', 'd', 'e'].map(name => `dist/test/${name}.test.js`);
  const groups = groupFiles(root, [{ name: 'unit', paths, groups: 2 }]);
  const texts = groups.map(path => readFileSync(join(root, path), 'utf8'));
  t.deepEqual(texts, [
    "import '../a.test.js';\nimport '../c.test.js';\nimport '../e.test.js';\n",
    "import '../b.test.js';\nimport '../d.test.js';\n",
  ]);
  const one = { name: 'unit', paths: paths.slice(0, 1), groups: 2 };
  t.deepEqual(groupFiles(root, [one, { ...one, name: 'turns' }]), [
    'dist/test/together/unit-1.test.js',
    'dist/test/together/turns-1.test.js',
  ]);
  t.false(existsSync(join(root, groups[1] ?? '')));
  const [apart = ''] = groupFiles(root, [
    { name: 'files', paths: ['dist/test/http/f.mongo.test.js'], groups: 1, areApart: true },
  ]);
  t.is(
    readFileSync(join(root, apart), 'utf8'),
    "import '../helpers/begin-file.js?http/f.mongo';\nimport '../http/f.mongo.test.js';\n",
  );
});
