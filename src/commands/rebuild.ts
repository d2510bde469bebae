// `rebuild` and `rollback`: a generation built anew beside the one that answers, and the way back.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Head } from '../../projections/documents.ts';
import { UserError } from '../errors.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { progressOf } from '../projector/catch-up.ts';
import { requestBuild, rollBack } from '../projector/generations/operate.ts';
import { generationCollections } from '../read-store/collections.ts';
import type { StoreConnection } from '../read-store/connect.ts';
import { readRegistry } from '../read-store/registry.ts';
import { type ProgressBar, startProgress } from './progress.ts';
import { REBUILD_USAGE, ROLLBACK_USAGE } from './usages.ts';
import { parseWords } from './words.ts';

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

const POLL_MS = 200;

/** Asks for a new generation and shows how it comes on; stopping it stops the showing alone. */
export async function runRebuild(args: string[], context: RebuildContext): Promise<void> {
  const budget = budgetOf(args);
  const { connection, version, now, print, isTerminal } = context;
  if (budget !== null) {
    const begun = () => print(`Rebuilding budget ${budget}; its stream is held meanwhile`);
    const head = await context.rebuildBudget(budget, begun).catch(error => {
      throw context.signal.aborted
        ? new UserError(`Stopped: budget ${budget} is as it was`)
        : error;
    });
    return print(`Budget ${budget} is rebuilt, at sequence ${head?.sequence ?? 0}`);
  }
  const { id } = await requestBuild(connection.readModel, version, now());
  print(`Building generation ${id} beside the one that answers; the projectors do it`);
  const bar = startProgress(`Building ${id}`, isTerminal, print);
  await follow(id, context, bar).finally(bar.stop);
}

function budgetOf(args: string[]): string | null {
  const options = { budget: { type: 'string' } } as const;
  return parseWords({ args, options }, REBUILD_USAGE).values.budget ?? null;
}

async function follow(id: string, context: RebuildContext, bar: ProgressBar): Promise<void> {
  const { connection, log, print, signal } = context;
  const { readModel } = connection;
  while (!signal.aborted) {
    const registry = await readRegistry(readModel);
    const own = registry.generations.find(generation => generation.id === id);
    if (registry.active === id) return print(`Generation ${id} is active`);
    if (!own) throw new UserError(`Generation ${id} is gone`);
    if (own.state === 'failed') throw new UserError(`Generation ${id} failed: ${own.reason}`);
    const { applied, total } = await progressOf(generationCollections(readModel, id), log);
    bar.update(applied, total);
    await sleep(POLL_MS);
  }
  print(`Generation ${id} is still being built: see budgeting status`);
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
