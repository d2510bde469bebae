// What the work on one partition needs.
import type { EventLog } from '../../event-log/event-log.ts';
import type { Log } from '../../log.ts';
import type { GenerationMetrics } from '../metrics.ts';
import type { ShadowSetRunner } from '../shadow/runner.ts';
import type { ProjectorStore } from '../store.ts';
import type { ChunkLimits } from './fold-deliveries.ts';
import type { Turns } from './turns.ts';

export interface PartitionContext {
  readonly store: ProjectorStore;
  readonly eventLog: EventLog;
  readonly logger: Log;
  /** Name of this process in the checkpoint. */
  readonly owner: string;
  readonly limits: ChunkLimits;
  /** Shared by all partitions of this projector. */
  readonly turns: Turns;
  readonly signal: AbortSignal;
  readonly metrics?: GenerationMetrics;
  readonly shadowSets: ShadowSetRunner;
  /** Tells the event log that work goes on, so that it does not give the partition to another process. */
  readonly heartbeat?: () => Promise<void>;
}
