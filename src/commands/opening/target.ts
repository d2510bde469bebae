// Opens the event log for a command that appends, or that says what it would append.
import type { EventLog } from '../../event-log/event-log.ts';
import { awayLine } from '../../process/describe-error.ts';
import { UserError } from '../../process/errors.ts';
import { type StopOnceBegun, stopOnceBegun } from '../../process/stopping.ts';
import { damageOf } from '../../projector/log-damage.ts';
import { type GenerationCollections, generationCollections } from '../../store/collections.ts';
import type { StoreConnection } from '../../store/connect.ts';
import { isBuild } from '../../store/generation-plan.ts';
import { type GenerationRecord, readRegistry } from '../../store/registry.ts';
import type { Opening } from '../syntax/command.ts';
import { printError, printLine } from '../terminal/print.ts';
import {
  type AwaitedPositions,
  awaitApplied,
  type Waited,
  type WaitOptions,
} from './await-applied.ts';
import { currentGeneration, isOwn } from './generation.ts';
import { type StoreContext, withStore } from './store.ts';

export interface AppendTarget {
  readonly eventLog: EventLog;
  readonly collections: GenerationCollections;
  readonly now: () => Date;
  readonly print: (line: string) => void;
  /** Waits until events are applied; a signal to the process ends the wait. */
  readonly applied: (
    positions: AwaitedPositions,
    progress?: WaitOptions['progress'],
  ) => Promise<Waited>;
}

export interface TargetContext extends StoreContext, AppendTarget {
  readonly generation: GenerationRecord;
}

/**
 * Data loss is checked first. For a command that appends, other writers are locked out, and a missing log is made. A
 * command that only looks runs beside a writer.
 */
export const withTarget: Opening<TargetContext> = async (environment, run) => {
  const stopped = () => printError('Stopped: nothing was appended');
  const stopping = stopOnceBegun(stopped);
  try {
    await withStore(environment, context => openTarget({ context, stopping, run }));
  } catch (error) {
    const away = stopping.hasBegun() ? null : awayLine(error);
    throw away === null ? error : new UserError(`${away}. Nothing was appended`);
  }
};

interface OpeningTarget {
  readonly context: StoreContext;
  readonly stopping: StopOnceBegun;
  readonly run: (context: TargetContext) => Promise<void>;
}

async function openTarget({ context, stopping, run }: OpeningTarget): Promise<void> {
  const { connection, changes: appends } = context;
  const { begin, signal } = stopping;
  const generation = await currentGeneration(connection);
  const eventLog = await context.openLog({ writer: appends, makes: appends });
  const check = async () => checkDataLoss(eventLog, await generationsToCheck(connection));
  try {
    await check();
    const collections = generationCollections(connection.readModel, generation.id);
    await run({
      ...context,
      generation,
      collections,
      eventLog: checkBeforeAppend(eventLog, () => check().then(begin)),
      print: printLine,
      async applied(positions, progress = () => {}) {
        const waited = await awaitApplied(collections, positions, { progress, signal });
        if (waited.kind !== 'still' || isOwn(generation)) return waited;
        const { id, version } = generation;
        const why = `generation ${id} is of version ${version} of the projections, and may stand still for an upgrade`;
        return { ...waited, text: `${waited.text}; ${why}` };
      },
    });
  } finally {
    await eventLog.close();
  }
}

/** Returns the generations whose checkpoints the log must match: the active one and the builds, else the newest. */
async function generationsToCheck({
  readModel,
}: StoreConnection): Promise<GenerationCollections[]> {
  const { active, generations } = await readRegistry(readModel);
  const builds = generations.filter(isBuild);
  const current = [...generations.filter(({ id }) => id === active), ...builds];
  const ids = (current.length > 0 ? current : generations.slice(-1)).map(({ id }) => id);
  return ids.map(id => generationCollections(readModel, id));
}

/**
 * Refuses appends to a log that has lost data: new records would take the offsets of the lost ones. Compares the log with
 * the checkpoints that its projection has left.
 *
 * @throws UserError with one line for each damaged or halted partition
 */
export async function checkDataLoss(
  eventLog: EventLog,
  generations: readonly GenerationCollections[],
): Promise<void> {
  const faults = new Map<number, string>();
  for (const { checkpoints } of generations) {
    for (const checkpoint of await checkpoints.find().sort({ _id: 1 }).toArray()) {
      const { _id: partition, halted } = checkpoint;
      if (faults.has(partition)) continue;
      const damage = await damageOf(eventLog, partition, checkpoint);
      if (damage !== null) faults.set(partition, damage);
      else if (halted) faults.set(partition, halted.reason);
    }
  }
  if (faults.size === 0) return;
  const lines = [...faults].sort(([a], [b]) => a - b).map(([, line]) => line);
  throw new UserError([...lines, REFUSED].join('\n'));
}

const REFUSED =
  'Nothing was appended: name the right log or bring back what it has lost, then start the projectors again (docs/operations.md, DATA_LOSS)';

/** Returns the log with a check before each append; a check that throws prevents the append. */
function checkBeforeAppend(eventLog: EventLog, check: () => Promise<void>): EventLog {
  return {
    ...eventLog,
    async append(records) {
      await check();
      return eventLog.append(records);
    },
  };
}
