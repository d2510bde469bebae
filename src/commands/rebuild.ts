// `rebuild` and `rollback`: build a generation from scratch beside the active one, and go back to the previous one.
import type { Head } from '../../projections/documents.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { BuildUnderWayError, requestBuild, rollBack } from '../generations/operate.ts';
import { UserError } from '../process/errors.ts';
import { type Progress, progressOf } from '../projector/catch-up.ts';
import { generationCollections } from '../store/collections.ts';
import type { StoreConnection } from '../store/connect.ts';
import { followBuild } from './operating/follow-build.ts';

export interface RebuildContext {
  readonly connection: StoreConnection;
  readonly eventLog: EventLog;
  /** The version of the projections to build with. */
  readonly version: number;
  /** Rebuilds one budget within the current generation; calls `begun` once that generation is found. */
  readonly rebuildBudget: (budget: string, begun: () => void) => Promise<Head | null>;
  readonly now: () => Date;
  readonly print: (line: string) => void;
  readonly isTerminal: boolean;
  readonly signal: AbortSignal;
}

/**
 * Rebuilds one budget, or with null requests a new generation and shows its progress. Stopping the command stops only the
 * display: the projectors go on building.
 */
export async function runRebuild(budget: string | null, context: RebuildContext): Promise<void> {
  const { connection, print } = context;
  if (budget !== null) {
    const begun = () => print(`Rebuilding budget ${budget}; its stream is held meanwhile`);
    const head = await context.rebuildBudget(budget, begun).catch(error => {
      throw context.signal.aborted
        ? new UserError(`Stopped: budget ${budget} is as it was`)
        : error;
    });
    return print(`Budget ${budget} is rebuilt, at sequence ${head?.sequence ?? 0}`);
  }
  const { id } = await requestGeneration(context);
  print(`Building generation ${id} beside the one that answers; the projectors do it`);
  await followBuild(id, { ...context, readModel: connection.readModel });
}

async function requestGeneration({ connection, eventLog, version }: RebuildContext) {
  const { readModel } = connection;
  try {
    return await requestBuild(readModel, version);
  } catch (error) {
    if (!(error instanceof BuildUnderWayError)) throw error;
    const { generation } = error;
    const collections = generationCollections(readModel, generation.id);
    throw new BuildUnderWayError(
      generation,
      describeProgress(await progressOf(collections, eventLog)),
    );
  }
}

function describeProgress({ applied, total }: Progress): string {
  const percent = total === 0 ? 100 : Math.floor((applied / total) * 100);
  return `${applied} of ${total} events are applied (${percent} %)`;
}

export async function runRollback({
  connection,
  now,
  print,
}: Pick<RebuildContext, 'connection' | 'now' | 'print'>): Promise<void> {
  const { from, to } = await rollBack(connection.readModel, now);
  print(`Generation ${to.id} (version ${to.version}) answers again; ${from.id} is rejected`);
  if (from.version !== to.version) {
    print(`Version ${from.version} builds again only when asked to: budgeting rebuild`);
  }
}
