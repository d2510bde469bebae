// `npm run test:watch -- test/foo.test.ts`: compiles what is saved, then runs the named tests, or those that it touches.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseTestArguments } from './test/parse-test-arguments.ts';
import { runAva } from './test/run-ava.ts';
import { runUntilSignal } from './test/run-until-signal.ts';
import { compiledPath, testFilesIn } from './test/test-files.ts';
import { withResources } from './test/with-resources.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Without names it watches the files that need no server. */
async function watchTests(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { files, options } = parseTestArguments(['--unit', ...args], testFilesIn(ROOT));
  const needs = new Set(files.flatMap(file => file.needs));
  return await withResources(needs, signal, async env => {
    const compiler = spawn(
      join(ROOT, 'node_modules', '.bin', 'tsc'),
      ['-p', '.', '--watch', '--preserveWatchOutput'],
      { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
    );
    const ava = ['--watch', ...options, ...files.map(compiledPath)];
    const run = await runAva({ root: ROOT, args: ava, env, tap: false, signal });
    compiler.kill();
    return run.exitCode;
  });
}

await runUntilSignal(signal => watchTests(process.argv.slice(2), signal));
