// Shows the progress of `npm start` until the read model has caught up, and announces the switch after an upgrade.
import { PROJECTIONS_VERSION } from '../../../projections/version.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import { describeNotSwitched } from '../../generations/build-watch.ts';
import { delay } from '../../process/waiting.ts';
import { progressOf } from '../../projector/catch-up.ts';
import { generationCollections } from '../../store/collections.ts';
import type { StoreConnection } from '../../store/connect.ts';
import { windowBeforeBuild } from '../../store/generation-plan.ts';
import { describePause } from '../../store/parking-limit.ts';
import { type GenerationRecord, type Registry, readRegistry } from '../../store/registry.ts';
import { retried } from '../../store/retry.ts';
import { readPause } from '../../store/writing/parking-alarm.ts';
import type { ProcessContext } from '../opening/process.ts';
import { canDraw, startProgress } from '../terminal/progress.ts';

type CatchUpContext = Pick<ProcessContext, 'print' | 'isTerminal' | 'stopping' | 'logger'>;

const PROGRESS_MS = 100;
const SWITCH_POLL_MS = 1000;

/**
 * Resolves with null once a generation is active and as many events are applied as the log had by then, once the shown
 * generation is paused, or once the process stops. An active generation of another version is never fed by this program, so it is
 * returned instead of waited for.
 */
export async function awaitCatchUp(
  { print, isTerminal, stopping, logger }: CatchUpContext,
  { readModel }: StoreConnection,
  eventLog: EventLog,
): Promise<GenerationRecord | null> {
  const title = 'Projecting the event log';
  if (!canDraw(isTerminal)) print(title);
  const bar = startProgress({ title, isTerminal, print });
  let shownWait: string | null = null;
  // What comes meanwhile is not waited for: it may never end.
  let goal: number | null = null;
  // The database may be away for a while: what projects and answers outlasts that too.
  const read = <T>(run: () => Promise<T>) => retried(run, { logger, signal: stopping.signal });
  try {
    while (!stopping.signal.aborted) {
      const registry = await read(() => readRegistry(readModel));
      const { active, generations } = registry;
      const activeRecord = generations.find(({ id }) => id === active);
      if (activeRecord && activeRecord.version !== PROJECTIONS_VERSION) {
        print(describeFrozen(activeRecord, registry));
        return activeRecord;
      }
      const shown = active ?? generations.at(-1)?.id;
      if (shown !== undefined) {
        const collections = generationCollections(readModel, shown);
        const pause = await read(() => readPause(collections));
        if (pause) {
          for (const line of describePause(shown, pause)) print(line);
          return null;
        }
        const { applied, total } = await read(() => progressOf(collections, eventLog));
        const wait = describeWait(generations.find(({ id }) => id === shown));
        if (wait !== null && wait !== shownWait) bar.say(wait);
        shownWait = wait;
        bar.update(applied, total);
        if (active !== null) goal ??= total;
        // A log that has lost events has fewer.
        if (goal !== null && applied >= Math.min(goal, total)) return null;
      }
      await delay(PROGRESS_MS);
    }
    return null;
  } catch (error) {
    if (stopping.signal.aborted) return null;
    throw error;
  } finally {
    bar.stop();
  }
}

/** Returns why a build has failed or is not switched to; null if nothing is in its way. */
function describeWait(build: GenerationRecord | undefined): string | null {
  if (build?.state === 'failed') return `Generation ${build.id} failed: ${build.reason}`;
  return build?.waitsFor ? describeNotSwitched(build.id, build.waitsFor) : null;
}

function describeFrozen({ id, version }: GenerationRecord, registry: Registry): string {
  const own = PROJECTIONS_VERSION;
  const buildsAlone = version < own && !registry.rejectedVersions.includes(own);
  const window = windowBeforeBuild(registry, own);
  const after = window
    ? `, after the rollback window of ${window.id} or npx budgeting rebuild`
    : '';
  const until = buildsAlone
    ? `one of version ${own} is built${after}`
    : `npx budgeting rebuild makes one of version ${own}`;
  return `Generation ${id} is of version ${version} of the projections: it answers as it is until ${until}`;
}

/** Prints a line once another generation is active, then resolves; never rejects. */
export async function announceSwitch(
  { print, stopping: { signal } }: CatchUpContext,
  { readModel }: StoreConnection,
  { id }: GenerationRecord,
): Promise<void> {
  while (!signal.aborted) {
    const active = await readRegistry(readModel).then(
      registry => registry.active,
      () => id,
    );
    if (active !== null && active !== id) return print(`Generation ${active} answers now`);
    await delay(SWITCH_POLL_MS, signal);
  }
}
