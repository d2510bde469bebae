// Times within which a share of the answers were ready, estimated from cumulative buckets.
import test from 'ava';
import { formatLatency, latencyOf } from '../../../../src/pages/operators/page/requests-section.ts';

const cumulative = (counts: readonly (readonly [number, number])[], method = 'GET') =>
  counts.map(([seconds, count]) => ({ route: '/', method, seconds, count }));

const ALL = Number.POSITIVE_INFINITY;

test('a time is interpolated within its bucket, as Prometheus does', t => {
  const buckets = cumulative([
    [0.1, 0],
    [0.2, 50],
    [0.5, 100],
    [ALL, 100],
  ]);
  t.deepEqual(latencyOf(buckets, 0.5), { seconds: 0.2, isBeyond: false });
  t.is(latencyOf(buckets, 0.25)?.seconds.toFixed(3), '0.150');
  t.is(latencyOf(buckets, 0.99)?.seconds.toFixed(3), '0.494');
});

test('methods count together, and a time beyond the last bucket is only bounded', t => {
  const get = cumulative([
    [1, 90],
    [10, 90],
    [ALL, 90],
  ]);
  const post = cumulative(
    [
      [1, 0],
      [10, 0],
      [ALL, 10],
    ],
    'POST',
  );
  t.is(latencyOf([...get, ...post], 0.45)?.seconds.toFixed(3), '0.500');
  t.deepEqual(latencyOf([...get, ...post], 0.99), { seconds: 10, isBeyond: true });
  t.is(latencyOf(cumulative([[ALL, 0]]), 0.5), null);
  t.is(latencyOf([], 0.5), null);
});

test('times have two digits and a unit', t => {
  const shown = [0.000_512, 0.0123, 0.9996, 1.26, 10].map(seconds =>
    formatLatency({ seconds, isBeyond: false }),
  );
  t.deepEqual(shown, ['0.51 ms', '12 ms', '1000 ms', '1.3 s', '10 s']);
  t.is(formatLatency({ seconds: 10, isBeyond: true }), '> 10 s');
  t.is(formatLatency(null), '–');
});
