// The histogram of the time until an event can be read.
import test from 'ava';
import { Registry } from 'prom-client';
import { createProjectorMetrics } from '../../../src/pages/operators/metrics/create-metrics.ts';
import { createOwnPartitions } from '../../../src/pages/operators/partitions.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const COUNTS = { applied: 1, duplicates: 0, dropped: 0, unknown: 0, queued: 0 };

function metrics() {
  const registry = new Registry();
  const all = createProjectorMetrics(registry, createOwnPartitions(), () => NOW);
  const line = async (name: string) => {
    const lines = (await registry.metrics()).split('\n');
    return lines.find(text => text.startsWith(`budgeting_projector_readable_seconds_${name}`));
  };
  return { all, line };
}

test('a chunk counts from when its first record was written', async t => {
  const { all, line } = metrics();
  const { chunkApplied } = all.of('g1');
  chunkApplied(COUNTS, { seconds: 0.5, writtenAt: new Date(NOW.getTime() - 2000) });
  t.is(
    await line('sum{generation="g1"}'),
    'budgeting_projector_readable_seconds_sum{generation="g1"} 2',
  );
  // A clock that is behind the log's shows no negative time.
  chunkApplied(COUNTS, { seconds: 0.5, writtenAt: new Date(NOW.getTime() + 9000) });
  t.is(await line('sum'), 'budgeting_projector_readable_seconds_sum{generation="g1"} 2');
  t.is(await line('count'), 'budgeting_projector_readable_seconds_count{generation="g1"} 2');
});

test('a log without times counts nothing, and a generation that is gone has no series', async t => {
  const { all, line } = metrics();
  all.of('g1').chunkApplied(COUNTS, { seconds: 0.5 });
  t.is(await line('count'), 'budgeting_projector_readable_seconds_count{generation="g1"} 0');
  all.keep([], new Date(NOW.getTime() + 1));
  t.is(await line('count'), undefined);
});
