// What an operator sees of a build until it is switched to, or has failed: progress, and why it waits.
import { delay } from '../delay.ts';
import { UserError } from '../errors.ts';
import type { EventLog } from '../event-log/event-log.ts';
import {
  createBuildWatch,
  describeNotSwitched,
  readBuild,
} from '../projector/generations/build-watch.ts';
import { generationCollections } from '../read-store/collections.ts';
import { type GenerationRecord, readRegistry } from '../read-store/registry.ts';
import type { ReadDatabase } from '../read-store/snapshot.ts';
import { type ProgressBar, startProgress } from './progress.ts';

export interface FollowContext {
  readonly readModel: ReadDatabase;
  readonly log: EventLog;
  readonly print: (line: string) => void;
  readonly isTerminal: boolean;
  readonly signal: AbortSignal;
}

const POLL_MS = 200;

/** Returns once the generation is active, or the signal aborts; throws a UserError when the build has failed. */
export async function followBuild(id: string, context: FollowContext): Promise<void> {
  const { print, isTerminal } = context;
  const bar = startProgress(`Building ${id}`, isTerminal, print);
  // Nothing is printed before the bar is gone: it would be cleared with it.
  print(await follow(id, context, bar).finally(bar.stop));
}

/** Returns the last word on it. */
async function follow(id: string, context: FollowContext, bar: ProgressBar): Promise<string> {
  const { readModel, log, signal } = context;
  const watch = createBuildWatch();
  let told: string | null = null;
  while (!signal.aborted) {
    const { active, generations } = await readRegistry(readModel);
    const own = generations.find(generation => generation.id === id);
    if (active === id) return `Generation ${id} is active`;
    if (!own) throw new UserError(`Generation ${id} is gone: see budgeting status`);
    if (own.state === 'failed') throw new UserError(`Generation ${id} failed: ${own.reason}`);
    const standing = await readBuild(generationCollections(readModel, id), log);
    // Where no projector runs at all, nobody else would say so.
    const standstill = watch.observe(own, standing, performance.now());
    const waitsFor = own.waitsFor ?? standstill ?? null;
    if (waitsFor !== null && waitsFor !== told) bar.say(describeNotSwitched(id, waitsFor));
    told = waitsFor;
    show(bar, own, standing);
    await delay(POLL_MS, signal);
  }
  return `Generation ${id} is still being built: see budgeting status`;
}

function show(
  bar: ProgressBar,
  { id, state, verified }: GenerationRecord,
  { applied, total }: { readonly applied: number; readonly total: number },
): void {
  if (state !== 'verifying') bar.update(applied, total, `Building ${id}`);
  else if (verified) bar.update(verified.done, verified.total, `Verifying ${id}`);
}
