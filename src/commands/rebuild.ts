// `rebuild` and `rollback`: a generation built from scratch beside the one that answers, and the way back.
import type { Head } from '../../projections/documents.ts';
import { UserError } from '../errors.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { type Progress, progressOf } from '../projector/catch-up.ts';
import { BuildUnderWayError, requestBuild, rollBack } from '../projector/generations/operate.ts';
import { generationCollections } from '../read-store/collections.ts';
import type { StoreConnection } from '../read-store/connect.ts';
import { followBuild } from './follow-build.ts';
import { REBUILD_USAGE, ROLLBACK_USAGE } from './usages.ts';
import { once, parseWords, usageError } from './words.ts';

export interface RebuildContext {
  readonly connection: StoreConnection;
  readonly log: EventLog;
  /** The version of the projections to build with. */
  readonly version: number;
  /** Rebuilds one budget within the generation that answers; `begun` is told once that generation is found. */
  readonly rebuildBudget: (budget: string, begun: () => void) => Promise<Head | null>;
  readonly now: () => Date;
  readonly print: (line: string) => void;
  readonly isTerminal: boolean;
  readonly signal: AbortSignal;
}

export interface RebuildRequest {
  /** The one budget to be rebuilt; null for a whole generation. */
  readonly budget: string | null;
  /** Whether the build that is under way is to be given up. */
  readonly abandon: boolean;
}

/** @throws UserError where the words name both */
export function parseRebuild(args: string[]): RebuildRequest {
  const options = {
    budget: { type: 'string', multiple: true },
    abandon: { type: 'boolean' },
  } as const;
  const { values } = parseWords({ args, options }, REBUILD_USAGE);
  const budget = once(values.budget, '--budget', REBUILD_USAGE) ?? null;
  const abandon = values.abandon === true;
  if (budget === null || !abandon) return { budget, abandon };
  throw usageError('Expected --budget or --abandon, got both', REBUILD_USAGE);
}

/** Asks for a new generation and shows how it comes on; stopping it stops the showing alone. */
export async function runRebuild(
  { budget }: Pick<RebuildRequest, 'budget'>,
  context: RebuildContext,
): Promise<void> {
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
  const { id } = await request(context);
  print(`Building generation ${id} beside the one that answers; the projectors do it`);
  await followBuild(id, { ...context, readModel: connection.readModel });
}

async function request({ connection, log, version, now }: RebuildContext) {
  const { readModel } = connection;
  try {
    return await requestBuild(readModel, version, now());
  } catch (error) {
    if (!(error instanceof BuildUnderWayError)) throw error;
    const { generation } = error;
    const collections = generationCollections(readModel, generation.id);
    throw new BuildUnderWayError(generation, progressWords(await progressOf(collections, log)));
  }
}

function progressWords({ applied, total }: Progress): string {
  const percent = total === 0 ? 100 : Math.floor((applied / total) * 100);
  return `${applied} of ${total} events are applied (${percent} %)`;
}

export async function runRollback(
  args: string[],
  { connection, now, print }: Pick<RebuildContext, 'connection' | 'now' | 'print'>,
): Promise<void> {
  if (args.length > 0)
    throw new UserError(`Expected ${ROLLBACK_USAGE} alone, got ${args.join(' ')}`);
  const { from, to } = await rollBack(connection.client, connection.readModel, now);
  print(`Generation ${to.id} (version ${to.version}) answers again; ${from.id} is rejected`);
  if (from.version !== to.version) {
    print(`Version ${from.version} builds again only when asked to: budgeting rebuild`);
  }
}
