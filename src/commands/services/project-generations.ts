// Runs the projector over all generations, and limits the memory that garbage takes in a process that applies events.
import { setFlagsFromString } from 'node:v8';
import { PROJECTIONS_VERSION } from '../../../projections/version.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import { runGenerations } from '../../generations/supervisor.ts';
import type { Config } from '../../process/config.ts';
import type { Logger } from '../../process/log.ts';
import type { GenerationMetrics } from '../../projector/partition/partition-context.ts';
import type { StoreConnection } from '../../store/connect.ts';
import { projectorStore, storeParts } from '../opening/system.ts';

export interface ProjectOptions {
  readonly connection: StoreConnection;
  readonly config: Pick<Config, 'rollbackMinutes'>;
  readonly eventLog: EventLog;
  readonly logger: Logger;
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

/** In percent of the live objects' memory. */
const GARBAGE_PERCENT_MAX = 60;

/**
 * Collects old objects whenever the heap has grown by this much since the last collection. By default V8 waits until it
 * has grown several times over, because it expects a replay's growth to go on. Measured in docs/notebook.md.
 */
function limitGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT_MAX}`);
}
