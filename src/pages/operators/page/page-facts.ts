// The data that the operators' page shows.
import type { HeldEvents } from '../../../projector/operate/held-events.ts';
import type { RouteBucket, RouteCount } from '../metrics/http-metrics.ts';
import type { OwnPartitions } from '../partitions.ts';
import type { Waiting } from '../readiness.ts';
import type { Sample } from '../samples.ts';
import type { StatusSnapshot } from '../status-monitor.ts';

export interface RequestFacts {
  readonly counts: readonly RouteCount[];
  readonly buckets: readonly RouteBucket[];
}

export interface OperatorsPageFacts {
  /** The command that the process runs. */
  readonly command: string;
  readonly snapshot: StatusSnapshot;
  /** Null while they are not known. */
  readonly heldEvents: HeldEvents | null;
  readonly waiting: readonly Waiting[];
  readonly history: readonly Sample[];
  readonly own: OwnPartitions;
  /** Null if the process does not serve the read API. */
  readonly requests: RequestFacts | null;
  readonly projects: boolean;
}
