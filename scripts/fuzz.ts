// `npm run fuzz -- --minutes 5 --seed 7`: schemathesis with all of its checks against the running product and its sample.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fuzzSchema } from './fuzz/fuzz-schema.ts';
import { installSchemathesis } from './fuzz/install-schemathesis.ts';
import { parseOptions } from './parse-options.ts';
import { NoPythonError } from './python-packages.ts';
import { runMain } from './run-main.ts';
import { type SampleService, startSample } from './sample/start-sample.ts';
import { wholeNumber } from './whole-number.ts';

const HOOKS = join(import.meta.dirname, '..', '..', 'scripts', 'fuzz');
/** So that CI does not take a machine without Python for one without faults. */
const EXIT_NOT_RUN = 4;

interface Report {
  readonly test_cases: { readonly generated: number; readonly unique_failures: number };
  readonly errors: readonly unknown[];
}

interface Fuzz {
  readonly minutes: number;
  readonly seed: number;
}

async function fuzz({ minutes, seed }: Fuzz, signal: AbortSignal): Promise<void> {
  const program = await installSchemathesis();
  const service = await startSample(signal);
  const folder = await mkdtemp(join(tmpdir(), 'budgeting-fuzz-'));
  try {
    const schema = join(folder, 'openapi.json');
    const description = await fetch(`${service.api}/openapi.json`);
    await writeFile(schema, fuzzSchema(await description.text()));
    const report = join(folder, 'report.json');
    const code = await runSchemathesis([program, schema, report], service, { minutes, seed });
    const { test_cases: cases, errors } = JSON.parse(await readFile(report, 'utf8')) as Report;
    process.stdout.write(
      `${cases.generated} cases, ${cases.unique_failures} failures, ${errors.length} errors, seed ${seed}\n`,
    );
    if (code !== 0 || cases.unique_failures > 0 || errors.length > 0) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
    await service.stop();
  }
}

async function runSchemathesis(
  [program, schema, report]: readonly [string, string, string],
  { api, token }: SampleService,
  { minutes, seed }: Fuzz,
): Promise<number> {
  const args = [
    ...[join(program, 'bin', 'schemathesis'), 'run', schema, '--url', api],
    ...['--header', `Authorization: Bearer ${token}`, '--checks', 'all', '--continue-on-failure'],
    ...['--max-time', String(minutes * 60), '--seed', String(seed), '--workers', '2'],
    ...['--report', 'json', '--report-json-path', report, '--no-color'],
  ];
  const python = { PYTHONPATH: HOOKS, PYTHONDONTWRITEBYTECODE: '1' };
  const env = { ...process.env, ...python, SCHEMATHESIS_HOOKS: 'fuzz_hooks' };
  const child = spawn(join(program, 'bin', 'python3'), args, {
    env,
    cwd: tmpdir(),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'close');
  return Number(code ?? 1);
}

await runMain(async () => {
  const options = { minutes: { type: 'string' }, seed: { type: 'string' } } as const;
  const values = parseOptions(options);
  const minutes = wholeNumber('minutes', values.minutes ?? '2');
  const seed = wholeNumber('seed', values.seed ?? String(randomInt(1_000_000)));
  process.stdout.write(`npm run fuzz -- --minutes ${minutes} --seed ${seed}\n`);
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
  try {
    await fuzz({ minutes, seed }, stopping.signal);
  } catch (error) {
    if (!(error instanceof NoPythonError)) throw error;
    process.stderr.write(`${error.message}. NOT RUN: nothing was fuzzed.\n`);
    process.exitCode = EXIT_NOT_RUN;
  }
});
