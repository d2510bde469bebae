// When a followed partition is read: ahead while records are applied, and not while its subscriber waits.
import test from 'ava';
import type { Batch, Outcome, Subscriber } from '../../src/event-log/event-log.ts';
import type { Fetcher } from '../../src/event-log/kafka/fetcher.ts';
import { followPartition } from '../../src/event-log/kafka/follow-partition.ts';
import { createLogger } from '../../src/process/log.ts';

const END = 4;

interface Followed {
  /** Receives the batches; takes all of each by default. */
  readonly outcomeOf?: (batch: Batch) => Outcome;
  readonly ready?: Subscriber['ready'];
  /** The offset whose fetch fails. */
  readonly failsAt?: number;
  /** Receives the offsets for lag tools. */
  readonly reported?: number[];
}

/** Follows a partition of four records, each of which comes by a fetch of its own; adds all that happens to a list. */
async function follow(
  happened: string[],
  { outcomeOf = ({ to }) => to, ready, failsAt, reported }: Followed,
): Promise<void> {
  const stopping = new AbortController();
  const fetcher: Fetcher = {
    async fetch(offset, signal) {
      if (signal.aborted) return null;
      happened.push(`fetch ${offset}`);
      if (offset === failsAt) throw new Error('The broker is broken');
      const records = [{ partition: 0, offset, key: 'a', value: null }];
      return { from: offset, to: offset + 1, records, bounds: { start: 0, end: END } };
    },
    close: () => happened.push('close'),
  };
  const subscriber: Subscriber = {
    assigned: async () => 0,
    ...(ready && { ready }),
    async batch(batch) {
      happened.push(`apply ${batch.from}`);
      const outcome = outcomeOf(batch);
      if (outcome === END) stopping.abort();
      return outcome;
    },
    revoked: async () => {},
  };
  const options = {
    subscriber,
    limits: { recordsMax: 10, bytesMax: 1000 },
    logger: createLogger('silent'),
    sessionTimeoutMs: 60_000,
    openFetcher: () => fetcher,
    confirmedAt: () => Date.now(),
    reportLag: (_partition: number, next: number) => void reported?.push(next),
  };
  const progress = { note: () => {}, end: () => {} };
  await followPartition(options, { partition: 0, next: null, progress, signal: stopping.signal });
}

test('the next records are fetched while the last ones are applied', async t => {
  const happened: string[] = [];
  await follow(happened, {});
  t.deepEqual(happened, [
    ...['fetch 0', 'fetch 1', 'apply 0', 'fetch 2', 'apply 1', 'fetch 3', 'apply 2'],
    ...['apply 3', 'close'],
  ]);
});

test('the offset of a claim is reported, though no record may follow it', async t => {
  const reported: number[] = [];
  await follow([], { reported });
  t.deepEqual(reported, [0, 1, 2, 3, 4]);
});

test('what was fetched ahead is dropped where the subscriber goes back', async t => {
  const happened: string[] = [];
  const outcomes = [1, 0, 1, 2, 3, 4];
  await follow(happened, { outcomeOf: () => outcomes.shift() ?? 'halt' });
  t.deepEqual(happened, [
    ...['fetch 0', 'fetch 1', 'apply 0', 'fetch 2', 'apply 1'],
    ...['fetch 0', 'fetch 1', 'apply 0', 'fetch 2', 'apply 1', 'fetch 3', 'apply 2'],
    ...['apply 3', 'close'],
  ]);
});

test('what was fetched ahead is dropped while the subscriber waits, and the connection is closed', async t => {
  const happened: string[] = [];
  const waits = [false, true, false, false];
  await follow(happened, { ready: () => (waits.shift() ? Promise.resolve() : null) });
  t.deepEqual(happened, [
    ...['fetch 0', 'fetch 1', 'apply 0', 'close'],
    ...['fetch 1', 'fetch 2', 'apply 1', 'fetch 3', 'apply 2', 'apply 3', 'close'],
  ]);
});

test('an error of a fetch ahead counts once its records are due', async t => {
  const happened: string[] = [];
  const error = { message: 'The broker is broken' };
  await t.throwsAsync(follow(happened, { failsAt: 2 }), error);
  t.deepEqual(happened, ['fetch 0', 'fetch 1', 'apply 0', 'fetch 2', 'apply 1', 'close']);
  const dropped: string[] = [];
  await follow(dropped, { failsAt: 2, outcomeOf: ({ from }) => (from === 1 ? 'halt' : from + 1) });
  t.deepEqual(dropped, ['fetch 0', 'fetch 1', 'apply 0', 'fetch 2', 'apply 1', 'close']);
});
