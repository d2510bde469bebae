// Returns all metrics, of a process that does everything.
import { createMetrics } from '../../../src/pages/operators/metrics/create-metrics.ts';
import { createOwnPartitions } from '../../../src/pages/operators/partitions.ts';
import { type Family, parsePrometheus } from './prometheus-text.ts';
import { snapshotOf } from './snapshot-of.ts';

export async function everyMetric(
  does: { readonly reads?: boolean; readonly projects?: boolean } = {},
): Promise<ReadonlyMap<string, Family>> {
  const { reads = true, projects = true } = does;
  const now = () => new Date();
  const own = createOwnPartitions();
  const metrics = createMetrics({ command: 'start', reads, projects, version: 1, own, now });
  return parsePrometheus(await metrics.render(snapshotOf([]), true));
}
