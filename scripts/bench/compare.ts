// Compares two requests in turns, by answers per second under load or by latency.
import { median } from './arithmetic.ts';
import { type Asked, latencies, load } from './load.ts';
import { alternate, type Rounds } from './measured.ts';
import type { Sizes } from './sizes.ts';

const CONNECTIONS = 16;

/** Returns answers per second. The first pair only warms the processes up and is not counted. */
export async function compareLoad(
  { rounds, loadMs }: Sizes,
  baseline: Asked,
  subject: Asked,
): Promise<Rounds> {
  const measure = (asked: Asked) => () => load(asked, CONNECTIONS, loadMs);
  await alternate(1, measure(baseline), measure(subject));
  return await alternate(rounds, measure(baseline), measure(subject));
}

/** Returns the median milliseconds of a request. The first pair only warms up and is not counted. */
export async function compareLatency(
  { rounds, requests }: Sizes,
  baseline: Asked,
  subject: Asked,
): Promise<Rounds> {
  const each = Math.ceil(requests / rounds);
  const measure = (asked: Asked) => async () => median(await latencies(asked, each));
  await alternate(1, measure(baseline), measure(subject));
  return await alternate(rounds, measure(baseline), measure(subject));
}
