// What the operators' page is made of.
import type { Look } from '../look.ts';
import type { RouteCount } from '../metrics/http-metrics.ts';
import type { OwnPartitions } from '../partitions.ts';
import type { Waiting } from '../readiness.ts';
import type { Sample } from '../samples.ts';

export interface PageFacts {
  /** The command that the process runs. */
  readonly command: string;
  readonly look: Look;
  readonly waiting: readonly Waiting[];
  readonly history: readonly Sample[];
  readonly own: OwnPartitions;
  /** Null where the process does not read. */
  readonly requests: readonly RouteCount[] | null;
  readonly projects: boolean;
}
