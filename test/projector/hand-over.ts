// Hands batches of a scene's log to a pipeline, one by one.
import { Pipeline } from '../../src/projector/partition/pipeline.ts';
import { account, row } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import type { PartitionScene } from './partition-scene.ts';

/** Claims the partition and returns its pipeline. */
export async function pipelineOf({ context, take }: PartitionScene): Promise<Pipeline> {
  return new Pipeline(context, await take());
}

interface HandedRange {
  readonly from: number;
  readonly count: number;
  readonly signal?: AbortSignal;
}

/** Hands over one batch of a log that has more; returns the next offset that the pipeline wants. */
export function hand(
  pipeline: Pipeline,
  { eventLog }: PartitionScene,
  { from, count, signal = new AbortController().signal }: HandedRange,
) {
  const records = eventLog.records.slice(from, from + count);
  const batch = {
    partition: 0,
    from,
    to: from + records.length,
    records,
    bounds: { start: 0, end: eventLog.records.length },
    heartbeat: async () => {},
    signal,
  };
  return pipeline.apply(batch);
}

/** Returns the events of a budget with one account and this many rows, then the account's new name, then a last row. */
export function story(count: number): LogEvent[] {
  const eventOf = eventMaker('budget-1');
  const rows = Array.from({ length: count }, (_, index) => row(`row-${index}`));
  const renamed = { type: 'account.renamed', data: { accountId: 'home', name: 'House' } };
  return [CREATED, account('home', true), ...rows, renamed, row('last')].map(draft =>
    eventOf(draft as Parameters<typeof eventOf>[0]),
  );
}
