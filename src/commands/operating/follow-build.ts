// Requests a build, and shows an operator its progress, and the reason when it waits, until it is active or has failed.
import { allBounds, type EventLog } from '../../event-log/event-log.ts';
import { createBuildWatch, describeNotSwitched, readBuild } from '../../generations/build-watch.ts';
import { BuildUnderWayError, requestBuild } from '../../generations/operate.ts';
import { UnfinishedError, UserError } from '../../process/errors.ts';
import { delay } from '../../process/waiting.ts';
import { type Progress, progressOf } from '../../projector/catch-up.ts';
import { generationCollections } from '../../store/collections.ts';
import { type GenerationRecord, readRegistry } from '../../store/registry.ts';
import type { ReadDatabase } from '../../store/snapshot.ts';
import { type ProgressBar, startProgress } from '../terminal/progress.ts';

export interface FollowContext {
  readonly readModel: ReadDatabase;
  readonly eventLog: EventLog;
  readonly print: (line: string) => void;
  readonly isTerminal: boolean;
  readonly signal: AbortSignal;
}

const POLL_MS = 200;

/** @throws BuildUnderWayError that says how far the other build is */
export async function requestGeneration(
  { readModel, eventLog }: Pick<FollowContext, 'readModel' | 'eventLog'>,
  version: number,
): Promise<GenerationRecord> {
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

/**
 * Returns once the generation is active.
 *
 * @throws UserError when the build has failed, or its generation no longer exists
 * @throws UnfinishedError when the signal aborts
 */
export async function followBuild(id: string, context: FollowContext): Promise<void> {
  const { print, isTerminal } = context;
  const bar = startProgress({ title: `Building ${id}`, isTerminal, print });
  // The bar clears its line when it stops, so the last line is printed after that.
  print(await follow(id, context, bar).finally(bar.stop));
}

/** Returns the last line to print. */
async function follow(id: string, context: FollowContext, bar: ProgressBar): Promise<string> {
  const { readModel, eventLog, signal } = context;
  const watch = createBuildWatch();
  let shownWait: string | null = null;
  while (!signal.aborted) {
    const { active, generations } = await readRegistry(readModel);
    const own = generations.find(generation => generation.id === id);
    if (active === id) return `Generation ${id} is active`;
    if (!own) throw new UserError(`Generation ${id} is gone: see budgeting status`);
    if (own.state === 'failed') throw new UserError(`Generation ${id} failed: ${own.reason}`);
    const bounds = await allBounds(eventLog);
    const progress = await readBuild(generationCollections(readModel, id), bounds);
    // If no projector runs, none stores a reason in the registry, so this command watches for a stall itself.
    const stall = watch.observe(own, progress, performance.now());
    const waitsFor = own.waitsFor ?? stall ?? null;
    if (waitsFor !== null && waitsFor !== shownWait) bar.say(describeNotSwitched(id, waitsFor));
    shownWait = waitsFor;
    show(bar, own, progress);
    await delay(POLL_MS, signal);
  }
  throw new UnfinishedError(`Generation ${id} is still being built: see budgeting status`);
}

function show(
  bar: ProgressBar,
  { id, state, verified, indexing }: GenerationRecord,
  { applied, total }: { readonly applied: number; readonly total: number },
): void {
  if (state !== 'verifying') bar.update(applied, total, `Building ${id}`);
  else if (indexing) bar.update(indexing.percent ?? 0, 100, `Indexing ${id}`);
  else if (verified) bar.update(verified.done, verified.total, `Verifying ${id}`);
}
