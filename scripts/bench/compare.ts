// Compares two requests in turns, by answers per second under load or by latency.
import { median } from './arithmetic.ts';
import { latencies, load, type ReaderRequest } from './load.ts';
import { alternate, type Rounds } from './measured.ts';
import type { Sizes } from './sizes.ts';

const CONNECTIONS = 16;

/** Returns answers per second. The first pair only warms the processes up and is not counted. */
export async function compareLoad(
  { rounds, loadMs }: Sizes,
  baseline: ReaderRequest,
  subject: ReaderRequest,
): Promise<Rounds> {
  const measure = (asked: ReaderRequest) => () => load(asked, CONNECTIONS, loadMs);
  await alternate(1, measure(baseline), measure(subject));
  return await alternate(rounds, measure(baseline), measure(subject));
}

/** Returns the median milliseconds of a request. The first pair only warms up and is not counted. */
export async function compareLatency(
  { rounds, requests }: Sizes,
  baseline: ReaderRequest,
  subject: ReaderRequest,
): Promise<Rounds> {
  const each = Math.ceil(requests / rounds);
  const measure = (asked: ReaderRequest) => async () => median(await latencies(asked, each));
  await alternate(1, measure(baseline), measure(subject));
  return await alternate(rounds, measure(baseline), measure(subject));
}
