// Compares two requests, in turns: by how many are answered under load, or by how long one takes.
import { median } from './arithmetic.ts';
import { type Asked, latencies, load } from './load.ts';
import { alternate, type Rounds } from './measured.ts';
import type { Sizes } from './sizes.ts';

const CONNECTIONS = 16;

/** Answers per second. The first pair is not counted: processes warm up with it. */
export async function compareLoad(
  { rounds, loadMs }: Sizes,
  baseline: Asked,
  subject: Asked,
): Promise<Rounds> {
  const measure = (asked: Asked) => () => load(asked, CONNECTIONS, loadMs);
  await alternate(1, measure(baseline), measure(subject));
  return await alternate(rounds, measure(baseline), measure(subject));
}

/** Milliseconds of a request, the median of many. */
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
