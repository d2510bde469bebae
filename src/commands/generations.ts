// Wires the projector of all generations to this process's stores and log.
import { PROJECTIONS_VERSION } from '../../projections/project.ts';
import type { Config } from '../config.ts';
import { UserError } from '../errors.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { limitGarbage } from '../heap.ts';
import type { Log } from '../log.ts';
import { runGenerations } from '../projector/generations/supervisor.ts';
import type { GenerationMetrics } from '../projector/metrics.ts';
import type { StoreConnection } from '../read-store/connect.ts';
import { readRegistry } from '../read-store/registry.ts';
import { projectorStore, storeParts } from './system.ts';

/** Feeds, builds, promotes and drops generations until the signal aborts. */
export function projectGenerations(
  connection: StoreConnection,
  config: Config,
  log: EventLog,
  logger: Log,
  metrics: (generation: string) => GenerationMetrics,
  signal: AbortSignal,
): Promise<void> {
  limitGarbage();
  const context = {
    client: connection.client,
    database: connection.readModel,
    log,
    logger,
    metrics,
    version: PROJECTIONS_VERSION,
    rollbackMs: config.rollbackMinutes * 60_000,
    now: () => new Date(),
    partsOf: (generation: string) => storeParts(connection, generation),
    openStore: (generation: string) => projectorStore(connection, generation),
  };
  return runGenerations(context, signal);
}

/**
 * The generation that operators' commands work on: the one that answers, or the one that is being built.
 *
 * @throws UserError when no projector has run yet
 */
export async function currentGeneration(connection: StoreConnection): Promise<string> {
  const { active, generations } = await readRegistry(connection.readModel);
  const current = active ?? generations.at(-1)?.id;
  if (current !== undefined) return current;
  throw new UserError('There is no read model yet: start a projector first');
}
