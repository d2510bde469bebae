// A soak: finds the highest rate of requests that holds, then holds it while events are appended.
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../bench/arithmetic.ts';
import { type SampleService, startSample } from '../sample/start-sample.ts';
import { appendRows } from './append-rows.ts';
import { type LoadResult, type LoadTarget, steadyLoad } from './steady-load.ts';
import type { SoakWindow } from './summary.ts';

export interface SoakOptions {
  /** How long the rate is held. */
  readonly seconds: number;
  /** Length of a window of the report. */
  readonly windowSeconds: number;
  /** How long each rate is tried. */
  readonly trialSeconds: number;
  /** No higher rate is tried, in requests a second: other work may join in after the trials. Absent: 20,000. */
  readonly rateMax?: number;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface Soak {
  readonly perSecond: number;
  readonly appended: number;
  readonly windows: readonly SoakWindow[];
}

const FIRST_RATE = 20;
const RATE_MAX = 20_000;
const STEP = 1.5;
/** A rate holds if 99 % of the answers come within this time, and none fails. */
const P99_MS_MAX = 250;
/** A trial shares the machine with nothing; the soak with appends, so it keeps some room. */
const ROOM = 0.7;
const APPEND_PAUSE_MS = 5000;
const MEGABYTE = 2 ** 20;

const PATHS = [
  'transactions?budget_id=household&limit=50',
  'transactions?budget_id=household&limit=20&search=coffee',
  'accounts?budget_id=household',
  'categories?budget_id=household',
  'months/2026-03?budget_id=household',
  'changes?budget_id=household&limit=50',
  'budgets',
];

export async function runSoak(options: SoakOptions): Promise<Soak> {
  const { report, signal } = options;
  report('Starting the product with its sample');
  const service = await startSample(signal);
  const stopping = new AbortController();
  let appending: Promise<number> | undefined;
  try {
    const { api, token } = service;
    const target: LoadTarget = { token, urls: PATHS.map(path => `${api}/${path}`) };
    const perSecond = await findRate(target, options);
    appending = appendUntil(service, stopping.signal);
    appending.catch(() => {});
    const windows = await hold({ service, target, perSecond }, options);
    stopping.abort();
    return { perSecond, appended: await appending, windows };
  } finally {
    stopping.abort();
    await appending?.catch(() => {});
    await service.stop();
  }
}

async function findRate(
  target: LoadTarget,
  { trialSeconds, rateMax = RATE_MAX, report, signal }: SoakOptions,
) {
  // The first requests meet cold caches.
  await steadyLoad(target, FIRST_RATE, trialSeconds * 1000);
  let held = FIRST_RATE;
  for (let rate = FIRST_RATE; rate < rateMax && !signal.aborted; rate = Math.round(rate * STEP)) {
    const tried = await steadyLoad(target, rate, trialSeconds * 1000);
    report(`${rate} requests/s: ${describe(tried)}`);
    if (tried.errors.length > 0 || p99(tried) > P99_MS_MAX) break;
    held = rate;
  }
  const perSecond = Math.max(1, Math.floor(held * ROOM));
  report(`${held} requests/s held; ${perSecond} leave room for appends`);
  return perSecond;
}

interface Held {
  readonly service: SampleService;
  readonly target: LoadTarget;
  readonly perSecond: number;
}

async function hold(
  { service, target, perSecond }: Held,
  { seconds, windowSeconds, report, signal }: SoakOptions,
): Promise<SoakWindow[]> {
  const windows: SoakWindow[] = [];
  while (windows.length * windowSeconds < seconds && !signal.aborted) {
    const measured = await steadyLoad(target, perSecond, windowSeconds * 1000);
    const memoryBytes = await residentMemory(service);
    windows.push({ ...measured, memoryBytes });
    const memory = `${Math.round(memoryBytes / MEGABYTE)} MB`;
    report(`${windows.length * windowSeconds} s: ${describe(measured)}, ${memory}`);
  }
  return windows;
}

/** Returns how many batches were appended. */
async function appendUntil(service: SampleService, signal: AbortSignal): Promise<number> {
  let appended = 0;
  while (!signal.aborted) {
    await appendRows(service);
    appended += 1;
    await sleep(APPEND_PAUSE_MS, undefined, { signal }).catch(() => {});
  }
  return appended;
}

async function residentMemory({ operators }: SampleService): Promise<number> {
  const text = await (await fetch(`${operators}/metrics`)).text();
  const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(text) ?? [];
  if (bytes === undefined) throw new Error('Expected process_resident_memory_bytes in the metrics');
  return Number(bytes);
}

function p99({ times }: LoadResult): number {
  return times.length === 0 ? 0 : percentile(times, 99);
}

function describe(measured: LoadResult): string {
  const { times, errors } = measured;
  return `${times.length} answers, ${errors.length} errors, 99 % within ${p99(measured).toFixed(0)} ms`;
}
