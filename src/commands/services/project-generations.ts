// Runs the projector over all generations.
import { PROJECTIONS_VERSION } from '../../../projections/project.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import { runGenerations } from '../../generations/supervisor.ts';
import type { Config } from '../../process/config.ts';
import { limitGarbage } from '../../process/heap.ts';
import type { Log } from '../../process/log.ts';
import type { GenerationMetrics } from '../../projector/partition/metrics.ts';
import type { StoreConnection } from '../../store/connect.ts';
import { projectorStore, storeParts } from '../opening/system.ts';

export interface ProjectOptions {
  readonly connection: StoreConnection;
  readonly config: Pick<Config, 'rollbackMinutes'>;
  readonly eventLog: EventLog;
  readonly logger: Log;
  readonly metrics: (generation: string) => GenerationMetrics;
  readonly signal: AbortSignal;
}

/** Feeds, builds, promotes and drops generations until the signal aborts. */
export function projectGenerations(options: ProjectOptions): Promise<void> {
  const { connection, config, eventLog, logger, metrics, signal } = options;
  limitGarbage();
  const context = {
    database: connection.readModel,
    eventLog,
    logger,
    metrics,
    version: PROJECTIONS_VERSION,
    rollbackMs: config.rollbackMinutes * 60_000,
    partsOf: (generation: string) => storeParts(connection, generation),
    openStore: (generation: string) => projectorStore(connection, generation),
  };
  return runGenerations(context, signal);
}
