// Changes that a log and its consumers make to a list of events: cuts, repeats, mixed streams, another order.
import { createRandom } from './random.ts';

/** Cuts the list into consecutive chunks of 1 to `sizeMax`. */
export function splitIntoChunks<T>(events: readonly T[], seed: number, sizeMax = 50): T[][] {
  const random = createRandom(seed);
  const chunks: T[][] = [];
  for (let from = 0; from < events.length; ) {
    const to = from + random.between(1, sizeMax);
    chunks.push(events.slice(from, to));
    from = to;
  }
  return chunks;
}

/** Repeats like restarts: sometimes continues up to `backMax` events earlier. */
export function withRepeats<T>(events: readonly T[], seed: number, backMax = 30): T[] {
  const random = createRandom(seed);
  const delivered: T[] = [];
  let from = 0;
  while (from < events.length) {
    const to = Math.min(events.length, from + random.between(1, 2 * backMax));
    delivered.push(...events.slice(from, to));
    if (random.chance(0.5)) delivered.push(...events.slice(Math.max(0, to - backMax), to));
    from = to;
  }
  return delivered;
}

/** Mixes several streams at random; each keeps its own order. */
export function interleave<T>(streams: readonly (readonly T[])[], seed: number): T[] {
  const random = createRandom(seed);
  const left = streams.map(stream => [...stream]).filter(stream => stream.length > 0);
  const mixed: T[] = [];
  while (left.length > 0) {
    const index = random.below(left.length);
    const stream = left[index] as T[];
    mixed.push(...stream.splice(0, random.between(1, 4)));
    if (stream.length === 0) left.splice(index, 1);
  }
  return mixed;
}

/** Delays a share of a stream's events by one to five places, so that each gap closes. */
export function outOfOrder<T>(stream: readonly T[], seed: number, share: number): T[] {
  const random = createRandom(seed);
  const placed = stream.map((event, index) => ({
    event,
    place: random.chance(share) ? index + random.between(1, 5) + 0.5 : index,
  }));
  return placed.sort((a, b) => a.place - b.place).map(({ event }) => event);
}

/** Repeats a share of the events at any later place. */
export function withDuplicates<T>(events: readonly T[], seed: number, share: number): T[] {
  const random = createRandom(seed);
  const delivered = [...events];
  for (const event of events) {
    if (!random.chance(share)) continue;
    const first = delivered.indexOf(event);
    delivered.splice(random.between(first + 1, delivered.length), 0, event);
  }
  return delivered;
}
