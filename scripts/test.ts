// `npm test`: starts the servers that the tests need, runs ava on the compiled tests, stops the servers.
// `npm test -- test/foo.test.ts --match '*bar*'` runs some of them.
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { concurrencyOf } from './test/concurrency.ts';
import { groupFiles, readTestFile, sharingOf } from './test/group-files.ts';
import { parseTestArguments } from './test/parse-test-arguments.ts';
import { runAva } from './test/run-ava.ts';
import { runUntilSignal } from './test/run-until-signal.ts';
import { tapCounts } from './test/tap-counts.ts';
import { compiledPath, isInSet, type TestFile, testFilesIn } from './test/test-files.ts';
import { withResources } from './test/with-resources.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** So few files run in processes of their own: their tests are reported under their names. */
const FEW = 20;
/** Each starts a server. */
const FAILING_GROUPS = 2;
/** A small group ends at about the same time as others, a large one loads its modules for more files. */
const FILES_PER_GROUP = 16;

type Group = 'failing' | 'files' | 'unit' | 'turns' | 'models' | 'alone';

/** Returns which processes run a file. */
function groupOf(file: TestFile): Group {
  const how = sharingOf(readTestFile(ROOT, file.path));
  if (how === 'at one server') return 'failing';
  if (how === 'file after file') return 'files';
  if (how === 'at once' && file.pace === 'model') return 'models';
  if (how === null || !isInSet('unit', file)) return 'alone';
  return how === 'at once' ? 'unit' : 'turns';
}

async function runTests(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { files, options } = parseTestArguments(args, testFilesIn(ROOT));
  const needs = new Set(files.flatMap(file => file.needs));
  const machine = { processors: availableParallelism(), memory: totalmem() };
  const concurrency = concurrencyOf(
    machine,
    files.every(file => isInSet('short', file)),
  );
  const grouped = files.map(file => ({
    path: compiledPath(file),
    group: files.length > FEW ? groupOf(file) : 'alone',
  }));
  const pathsIn = (name: Group) =>
    grouped.filter(({ group }) => group === name).map(({ path }) => path);
  const apart = pathsIn('files');
  const apartGroups = Math.max(concurrency, Math.ceil(apart.length / FILES_PER_GROUP));
  const groups = groupFiles(ROOT, [
    { name: 'failing', paths: pathsIn('failing'), groups: FAILING_GROUPS, areApart: true },
    { name: 'files', paths: apart, groups: apartGroups, areApart: true },
    ...(['unit', 'turns', 'models'] as const).map(name => {
      // They never wait for a server.
      return { name, paths: pathsIn(name), groups: machine.processors };
    }),
  ]);
  return await withResources(needs, signal, async env => {
    // CI gets numbers that it can add up, a person gets ava's own report.
    const tap = process.env.CI === 'true';
    const ava = ['--concurrency', String(concurrency), ...options, ...groups, ...pathsIn('alone')];
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
