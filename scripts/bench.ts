// `npm run bench`: measures the figures of docs/notebook.md. `-- --only NAME` measures one of them (repeatable),
// `-- --scale full` uses the sizes that the goals are set for. Exits with 1 if a goal is missed or a figure fails. A signal
// stops it and all that it has started.
import { UserError } from '../src/process/errors.ts';
import { FIGURES } from './bench/figures.ts';
import { missed } from './bench/measured.ts';
import { runFigures } from './bench/run.ts';
import { SIZES } from './bench/sizes.ts';
import { table } from './bench/table.ts';
import { parseOptions } from './parse-options.ts';
import { runMain } from './run-main.ts';

const NAMES = FIGURES.map(({ name }) => name);

async function main(): Promise<void> {
  const { only = NAMES, scale } = parseOptions({
    only: { type: 'string', multiple: true },
    scale: { type: 'string', default: 'small' },
  });
  const unknown = only.find(name => !NAMES.includes(name));
  if (unknown !== undefined) {
    throw new UserError(`Expected a figure of ${NAMES.join(', ')}, got ${unknown}`);
  }
  if (scale !== 'small' && scale !== 'full') {
    throw new UserError(`Expected the scale small or full, got ${scale}`);
  }
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => stopping.abort());
  }
  const { measured, failed } = await runFigures({
    figures: FIGURES.filter(({ name }) => only.includes(name)),
    sizes: SIZES[scale],
    report: line => process.stderr.write(`${line}\n`),
    signal: stopping.signal,
  });
  for (const line of table(measured)) process.stdout.write(`${line}\n`);
  const goalsMissed = missed(measured);
  const bad = [
    ...(failed.length > 0 ? [`Failed: ${failed.join(', ')}`] : []),
    ...(goalsMissed.length > 0 ? [`Missed: ${goalsMissed.join('; ')}`] : []),
  ];
  if (bad.length > 0) throw new UserError(bad.join('. '));
}

await runMain(main);
