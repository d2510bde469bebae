// `npm run chaos -- --minutes 30 --seed 7`: runs the product under all kinds of faults, which the seed chooses. `--only
// disk` limits them to those whose names contain the word.
import { randomInt } from 'node:crypto';
import { describeResult } from '../test/chaos/describe-result.ts';
import { runChaos } from '../test/chaos/run-chaos.ts';
import { parseOptions } from './parse-options.ts';
import { runMain } from './run-main.ts';
import { wholeNumber } from './whole-number.ts';

const MINUTES = '2';

async function main(signal: AbortSignal): Promise<void> {
  const options = {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
  } as const;
  const values = parseOptions(options);
  const minutes = wholeNumber('minutes', values.minutes ?? MINUTES);
  const seed = wholeNumber('seed', values.seed ?? String(randomInt(1_000_000)));
  const begun = Date.now();
  const report = (line: string) => {
    const seconds = Math.round((Date.now() - begun) / 1000);
    process.stderr.write(`${String(seconds).padStart(5)} s  ${line}\n`);
  };
  process.stdout.write(`npm run chaos -- --minutes ${minutes} --seed ${seed}\n`);
  const result = await runChaos({
    minutes,
    seed,
    only: values.only ?? '',
    env: process.env,
    report,
    signal,
  });
  for (const line of describeResult(result)) process.stdout.write(`${line}\n`);
  if (result.differences.length > 0) process.exitCode = 1;
}

/** Everything is closed by then: only a handle that a client library leaked can keep the process alive. */
const LINGER_MS_MAX = 5000;

const abort = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => abort.abort());
await runMain(() => main(abort.signal));
setTimeout(() => process.exit(), LINGER_MS_MAX).unref();
