// What `npm start` shows until the read model is up to date, and after an upgrade until the new one answers.

import { PROJECTIONS_VERSION } from '../../projections/project.ts';
import { delay } from '../delay.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { progressOf } from '../projector/catch-up.ts';
import { describeNotSwitched } from '../projector/generations/build-watch.ts';
import { generationCollections } from '../read-store/collections.ts';
import type { StoreConnection } from '../read-store/connect.ts';
import { readPause } from '../read-store/parking-alarm.ts';
import { type GenerationRecord, type Registry, readRegistry } from '../read-store/registry.ts';
import { pauseLines } from './pause-lines.ts';
import { startProgress } from './progress.ts';

interface CatchUpContext {
  readonly print: (line: string) => void;
  readonly isTerminal: boolean;
  readonly stopping: AbortController;
}

const PROGRESS_MS = 100;
const SWITCH_POLL_MS = 1000;

/**
 * Resolves once all is applied; or at once, where a generation of another version answers, which nobody feeds here, or
 * where an operator must resume projecting.
 */
export async function caughtUp(
  { print, isTerminal, stopping }: CatchUpContext,
  { readModel }: StoreConnection,
  log: EventLog,
): Promise<GenerationRecord | null> {
  const title = 'Projecting the event log';
  if (!isTerminal) print(title);
  const bar = startProgress(title, isTerminal, print);
  let told: string | null = null;
  try {
    while (!stopping.signal.aborted) {
      const registry = await readRegistry(readModel);
      const { active, generations } = registry;
      const answering = generations.find(({ id }) => id === active);
      if (answering && answering.version !== PROJECTIONS_VERSION) {
        print(frozenLine(answering, registry));
        return answering;
      }
      const shown = active ?? generations.at(-1)?.id;
      if (shown !== undefined) {
        const collections = generationCollections(readModel, shown);
        const pause = await readPause(collections);
        if (pause) {
          for (const line of pauseLines(shown, pause)) print(line);
          return null;
        }
        const { applied, total } = await progressOf(collections, log);
        const waitsFor = waitWords(generations.find(({ id }) => id === shown));
        if (waitsFor !== null && waitsFor !== told) bar.say(waitsFor);
        told = waitsFor;
        bar.update(applied, total);
        if (active !== null && applied >= total) return null;
      }
      await delay(PROGRESS_MS);
    }
    return null;
  } finally {
    bar.stop();
  }
}

/** Why the first generation does not answer yet, where something is in its way. */
function waitWords(built: GenerationRecord | undefined): string | null {
  if (built?.state === 'failed') return `Generation ${built.id} failed: ${built.reason}`;
  return built?.waitsFor ? describeNotSwitched(built.id, built.waitsFor) : null;
}

function frozenLine({ id, version }: GenerationRecord, { rejectedVersions }: Registry): string {
  const own = PROJECTIONS_VERSION;
  const buildsAlone = version < own && !rejectedVersions.includes(own);
  const until = buildsAlone
    ? `one of version ${own} is built`
    : `npx budgeting rebuild makes one of version ${own}`;
  return `Generation ${id} is of version ${version} of the projections: it answers as it is until ${until}`;
}

/** Says when another generation has taken over; never rejects. */
export async function tellSwitch(
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
