// `npm test`: starts the servers that the tests need, runs ava on the compiled tests, stops the servers.
// `npm test -- test/foo.test.ts --match '*bar*'` runs some of them.
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { concurrencyOf } from './test/concurrency.ts';
import { groupFiles, readTestFile, type Sharing, sharingOf } from './test/group-files.ts';
import { parseTestArguments } from './test/parse-test-arguments.ts';
import { runAva } from './test/run-ava.ts';
import { runUntilSignal } from './test/run-until-signal.ts';
import { tapCounts } from './test/tap-counts.ts';
import { compiledPath, isInSet, type TestFile, testFilesIn } from './test/test-files.ts';
import { withResources } from './test/with-resources.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** So few files run in processes of their own: their tests are reported under their names. */
const FEW = 20;
/** A small group ends at about the same time as others, a large one loads its modules for more files. */
const FILES_PER_GROUP = 12;

async function runTests(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { files, options } = parseTestArguments(args, testFilesIn(ROOT));
  const needs = new Set(files.flatMap(file => file.needs));
  const machine = { processors: availableParallelism(), memory: totalmem() };
  const concurrency = concurrencyOf(
    machine,
    files.every(file => isInSet('short', file)),
  );
  const sharing = (file: TestFile) => {
    const how = files.length > FEW ? sharingOf(readTestFile(ROOT, file.path)) : null;
    return how === 'file after file' || isInSet('unit', file) ? how : null;
  };
  const pathsOf = (how: Sharing | null) =>
    files.filter(file => sharing(file) === how).map(compiledPath);
  const apart = pathsOf('file after file');
  const groups = groupFiles(ROOT, [
    {
      name: 'files',
      paths: apart,
      groups: Math.max(concurrency, Math.ceil(apart.length / FILES_PER_GROUP)),
      areApart: true,
    },
    { name: 'unit', paths: pathsOf('at once'), groups: concurrency },
    { name: 'turns', paths: pathsOf('in turns'), groups: concurrency },
  ]);
  const alone = pathsOf(null);
  return await withResources(needs, signal, async env => {
    // CI gets numbers that it can add up, a person gets ava's own report.
    const tap = process.env.CI === 'true';
    const ava = ['--concurrency', String(concurrency), ...options, ...groups, ...alone];
    const run = await runAva({ root: ROOT, args: ava, env, tap, signal });
    return tap ? reportCounts(run.tap, run.exitCode) : run.exitCode;
  });
}

function reportCounts(tap: string, exitCode: number): number {
  const { passed, failed } = tapCounts(tap, exitCode);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  // A run without a passed test proves nothing, so it fails.
  return failed > 0 || passed === 0 ? exitCode || 1 : exitCode;
}

await runUntilSignal(signal => runTests(process.argv.slice(2), signal));
