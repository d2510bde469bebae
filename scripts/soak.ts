// `npm run soak -- --minutes 30`: holds the highest rate of requests that the product answers, while events are appended.
import { UserError } from '../src/process/errors.ts';
import { parseOptions } from './parse-options.ts';
import { runMain } from './run-main.ts';
import { runSoak } from './soak/run-soak.ts';
import { faultsOf, type Third, thirdOf } from './soak/summary.ts';

const MEMORY_MINUTES_MIN = 10;
const MEGABYTE = 2 ** 20;

function describe({ p99Ms, errors, memoryBytes }: Third): string {
  return `${errors} errors, 99 % within ${p99Ms.toFixed(0)} ms, ${Math.round(memoryBytes / MEGABYTE)} MB`;
}

await runMain(async () => {
  const values = parseOptions({ minutes: { type: 'string' } });
  const given = values.minutes ?? '30';
  if (!/^[1-9]\d{0,4}$/.test(given)) {
    throw new UserError(`Expected --minutes to be a whole number above 0, got ${given}`);
  }
  const minutes = Number(given);
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const times = { seconds: minutes * 60, windowSeconds: 60, trialSeconds: 10 };
  const soak = await runSoak({ ...times, report: print, signal: stopping.signal });
  const { perSecond, appended, windows } = soak;
  if (windows.length === 0) throw new UserError('Stopped before anything was measured');
  print(`${perSecond} requests/s, ${appended} batches of events appended`);
  print(`first third: ${describe(thirdOf(windows, 'first'))}`);
  print(`last third: ${describe(thirdOf(windows, 'last'))}`);
  const faults = faultsOf(windows, minutes >= MEMORY_MINUTES_MIN);
  for (const fault of faults) print(fault);
  if (faults.length > 0) process.exitCode = 1;
});
