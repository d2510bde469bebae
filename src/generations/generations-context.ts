// What building, feeding and switching generations needs.
import type { EventLog } from '../event-log/event-log.ts';
import type { Logger } from '../process/log.ts';
import type { GenerationMetrics } from '../projector/partition/partition-context.ts';
import type { ProjectorStore, StoreParts } from '../projector/store.ts';
import type { ReadDatabase } from '../store/snapshot.ts';

export interface GenerationsContext {
  readonly database: ReadDatabase;
  readonly eventLog: EventLog;
  readonly logger: Logger;
  /** The version of the projections in this process. */
  readonly version: number;
  /** A build whose partitions do not move for this long is reported as standing still; default 30 seconds. */
  readonly stallMs?: number;
  /** Interval of the checks that a generation has its indexes, in milliseconds; default a minute. */
  readonly indexCheckMs?: number;
  /** Streams with more events are left out of a build's verification; default: those that do not fit into memory. */
  readonly streamEventsMax?: number;
  /** A retired generation is kept and fed this long for a rollback, in milliseconds; then it is dropped. */
  readonly rollbackMs: number;
  readonly partsOf: (generation: string) => StoreParts;
  readonly openStore: (generation: string) => ProjectorStore;
  /** Returns the metrics of a generation's projector. */
  readonly metrics?: (generation: string) => GenerationMetrics;
}
