// `npm run compare -- --budgets 500 --seed 7`: random budgets made in Actual's own engine, imported, and compared with it.
import { randomInt } from 'node:crypto';
import { UserError } from '../src/process/errors.ts';
import type { Compared } from '../test/actual/compare-budget.ts';
import { compareBudgets } from '../test/actual/compare-budgets.ts';
import { startMongo as openMongo } from '../test/helpers/mongo.ts';
import { installActual } from './actual/install-actual.ts';
import { parseOptions } from './parse-options.ts';
import { runMain } from './run-main.ts';
import { startMongo } from './test/start-mongo.ts';
import { wholeNumber } from './whole-number.ts';

const BUDGETS = '20';
const REPORT_EVERY = 10;
const DIFFERENCES_SHOWN = 10;

interface Options {
  readonly budgets: number;
  readonly seed: number;
}

function readOptions(): Options {
  const options = { budgets: { type: 'string' }, seed: { type: 'string' } } as const;
  const values = parseOptions(options);
  const budgets = wholeNumber('budgets', values.budgets ?? BUDGETS);
  if (budgets === 0) throw new UserError('Expected --budgets to be at least 1, got 0');
  return {
    budgets,
    seed: wholeNumber('seed', values.seed ?? String(randomInt(1_000_000))),
  };
}

/** Budget `seed + n` is what `--budgets 1 --seed <seed + n>` makes. */
async function main(): Promise<void> {
  const { budgets, seed } = readOptions();
  const begun = Date.now();
  const report = (line: string) => {
    const seconds = Math.round((Date.now() - begun) / 1000);
    process.stderr.write(`${String(seconds).padStart(5)} s  ${line}\n`);
  };
  const abort = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => abort.abort());
  const actualFolder = await installActual(process.env, report);
  const server = await startMongo();
  const totals = { budgets: 0, figures: 0, differences: 0, seeds: [] as number[] };
  const add = (at: number, { figures, differences }: Compared) => {
    totals.budgets += 1;
    totals.figures += figures;
    totals.differences += differences.length;
    if (differences.length > 0) {
      totals.seeds.push(at);
      report(
        `${differences.length} differences; again: npm run compare -- --budgets 1 --seed ${at}`,
      );
      for (const line of differences.slice(0, DIFFERENCES_SHOWN)) report(`  ${line}`);
    }
    if (totals.budgets % REPORT_EVERY === 0) {
      report(`${totals.budgets} of ${budgets} budgets, ${totals.figures} figures`);
    }
  };
  try {
    const mongo = await openMongo({ ...process.env, ...server.env });
    const seeds = Array.from({ length: budgets }, (_, index) => seed + index);
    await compareBudgets({ seeds, actualFolder, mongo, signal: abort.signal, report: add });
    await mongo.stop();
  } finally {
    await server.stop();
  }
  const { figures, differences, seeds } = totals;
  process.stdout.write(
    `${totals.budgets} budgets from seed ${seed}: ${figures} figures, ${differences} differences\n`,
  );
  if (seeds.length > 0) process.stdout.write(`Seeds with differences: ${seeds.join(' ')}\n`);
  if (differences > 0 || totals.budgets < budgets) process.exitCode = 1;
}

await runMain(main);
