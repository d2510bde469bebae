// `npm test`: starts the servers that the tests need, runs ava on the compiled tests, stops the servers.
// `npm test -- test/foo.test.ts --match '*bar*'` runs some of them.
import { join } from 'node:path';
import { UserError } from '../src/errors.ts';
import { actual } from './test/actual.ts';
import { browser } from './test/browser.ts';
import { kafka } from './test/kafka.ts';
import { programs } from './test/programs.ts';
import type { Resource } from './test/resource.ts';
import { runAva } from './test/run-ava.ts';
import { startMongo } from './test/start-mongo.ts';
import { tapCounts } from './test/tap-counts.ts';

const ROOT = join(import.meta.dirname, '..', '..');
type Start = (args: readonly string[]) => Promise<Resource>;
const STARTS: readonly Start[] = [actual, startMongo, browser, programs, kafka];

async function runTests(args: readonly string[], signal: AbortSignal): Promise<number> {
  const resources: Resource[] = [];
  try {
    for (const start of STARTS) {
      resources.push(await start(args));
      if (signal.aborted) return 1;
    }
    const env = Object.assign({}, process.env, ...resources.map(resource => resource.env));
    // CI gets numbers that it can add up, a person gets ava's own report.
    const tap = process.env.CI === 'true';
    const run = await runAva({ root: ROOT, args, env, tap, signal });
    return tap ? reportCounts(run.tap, run.exitCode) : run.exitCode;
  } finally {
    for (const resource of resources.reverse()) await resource.stop();
  }
}

function reportCounts(tap: string, exitCode: number): number {
  const { passed, failed } = tapCounts(tap, exitCode);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  // A run without a passed test proves nothing, so it fails.
  return failed > 0 || passed === 0 ? exitCode || 1 : exitCode;
}

const abort = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => abort.abort());
}
try {
  process.exitCode = await runTests(process.argv.slice(2), abort.signal);
} catch (error) {
  process.exitCode = 1;
  const { message, stack } = error as Error;
  process.stderr.write(`${error instanceof UserError ? message : stack}\n`);
}
