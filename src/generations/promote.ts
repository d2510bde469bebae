// Promotes a build: once it has caught up it is verified, then switched to. Any obstacle is stored in its record as
// soon as it is known.
import { allBounds, type LogBounds } from '../event-log/event-log.ts';
import { delay, unlessAborted } from '../process/waiting.ts';
import { type Progress, pollMsOf } from '../projector/catch-up.ts';
import { completeIndexes } from '../store/collections.ts';
import { isTransient } from '../store/database-errors.ts';
import { isBuild, switched } from '../store/generation-plan.ts';
import { type GenerationRecord, type Registry, readRegistry } from '../store/registry.ts';
import { readPause } from '../store/writing/parking-alarm.ts';
import { NotReadyError } from '../store/writing/switch-generation.ts';
import { findObstacle, isBehindNote } from '../store/writing/switch-obstacles.ts';
import { differenceText } from '../verify/difference.ts';
import { failBuild, noteWait } from './build-record.ts';
import {
  type BuildWatch,
  describePaused,
  haltedReason,
  isStall,
  isUnfed,
  readBuild,
} from './build-watch.ts';
import type { GenerationsContext } from './generations-context.ts';
import { buildIndexes } from './indexes.ts';
import { findBuild } from './lease.ts';
import { type SwitchStep, trySwitch } from './try-switch.ts';
import { type Lease, orBrokenOff, underLease, verifySample } from './verify-build.ts';

/**
 * A round waits this long for a build to reach the end that the log had when the round began; then the next one tries.
 */
const CATCH_UP_MS_MAX = 5000;

/** A switch is retried this long; then the round ends and the next one verifies again. */
const SWITCH_MS_MAX = 30_000;
/** Under load a partition is behind for a moment; this is reported only after so long. */
const BEHIND_MS = 5000;

export interface PromoteOptions {
  readonly watch: BuildWatch;
  readonly signal: AbortSignal;
}

/** Promotes a build if it is ready; returns whether it is active now. */
export async function promote(
  context: GenerationsContext,
  build: GenerationRecord,
  options: PromoteOptions,
): Promise<boolean> {
  if (!(await catchUp(context, build, options))) return false;
  const { id } = build;
  const { active } = await readRegistry(context.database);
  const parties = active === null ? null : { from: active, to: id };
  const kinds = ['log', 'streams'] as const;
  const obstacle = parties && (await findObstacle(context.database, parties, { kinds }));
  if (obstacle !== null) {
    // A verification would be wasted before the obstacle is gone.
    await noteWait(context, { id }, obstacle.message);
    return false;
  }
  // Partitions that are behind stay noted until the switch itself succeeds: under load they change all the time.
  const isKnown = parties && build.waitsFor && isBehindNote(build.waitsFor, parties);
  const behind = isKnown
    ? await findObstacle(context.database, parties, { kinds: ['partitions'] })
    : null;
  const request = { id, waitsFor: behind?.message ?? null, signal: options.signal };
  return await underLease(context, request, lease =>
    orBrokenOff(context, lease, () => verifyAndSwitch(context, lease)),
  );
}

/** Notes why a build makes no progress, whichever version builds it; fails it when the log is damaged. */
export async function watchBuild(
  context: GenerationsContext,
  build: GenerationRecord,
  { watch, signal }: PromoteOptions,
): Promise<void> {
  const bounds = await unlessAborted(allBounds(context.eventLog), signal);
  if (bounds !== null) await observe(context, build, { watch, bounds, isFed: false });
}

interface Observing extends Pick<PromoteOptions, 'watch'> {
  readonly bounds: readonly LogBounds[];
  /** This process feeds the build. */
  readonly isFed: boolean;
}

/** As `watchBuild`, for a log with these bounds. Returns the progress, null when the log is damaged. */
async function observe(
  context: GenerationsContext,
  { id, version, waitsFor }: GenerationRecord,
  { watch, bounds, isFed }: Observing,
): Promise<Progress | null> {
  const progress = await readBuild(context.partsOf(id).collections, bounds);
  if (progress.halted !== null) {
    await failBuild(context, { id }, progress.halted);
    return null;
  }
  // A pause of projecting explains a stall better than the stall itself.
  const pause = await readPause(context.partsOf(id).collections);
  const observed = watch.observe({ id, version }, progress, performance.now());
  const stall = pause ? describePaused(pause.reason) : observed;
  const isOver = stall === null && (isStall(waitsFor) || (isFed && isUnfed(waitsFor)));
  if (stall || isOver) await noteWait(context, { id }, stall);
  return progress;
}

/**
 * Returns whether the build has applied all that the log held at first. The switch itself compares what came since. The
 * log is asked for its bounds only once: until the build is there, its checkpoints are enough.
 */
async function catchUp(
  context: GenerationsContext,
  build: GenerationRecord,
  { watch, signal }: PromoteOptions,
): Promise<boolean> {
  const bounds = await unlessAborted(allBounds(context.eventLog), signal);
  if (bounds === null) return false;
  for (let waitedMs = 0; waitedMs <= CATCH_UP_MS_MAX; ) {
    if (signal.aborted) return false;
    // The build may fail, or be replaced or given up meanwhile.
    const { generations } = await readRegistry(context.database);
    const own = generations.find(({ id }) => id === build.id);
    if (!own || !isBuild(own)) return false;
    const progress = await observe(context, own, { watch, bounds, isFed: true });
    if (progress === null) return false;
    const missing = progress.total - progress.applied;
    if (missing === 0) return true;
    const pauseMs = pollMsOf(missing);
    await delay(pauseMs, signal);
    waitedMs += pauseMs;
  }
  return false;
}

async function verifyAndSwitch(context: GenerationsContext, lease: Lease): Promise<boolean> {
  await buildIndexes(context, lease);
  const { named, differences, damage } = await verifySample(context, lease);
  const [first] = named;
  const [lost] = damage;
  if (lost !== undefined) {
    await failBuild(context, lease, `Verification found the log damaged: ${lost}`);
    return false;
  }
  if (!first) return await switchTo(context, lease);
  const reason = `Verification found a difference: ${differenceText(first)}`;
  // The values stay out of the log: they may quote values of events.
  const found = { generation: lease.id, stream: first.stream, differences };
  context.logger.error(found, 'Verification found differences');
  await failBuild(context, lease, reason);
  return false;
}

/** Makes the build that this process has verified active; returns whether it is. */
async function switchTo(context: GenerationsContext, lease: Lease): Promise<boolean> {
  const { id, signal } = lease;
  try {
    const isActive = await trySwitch(context.database, {
      ...{ msMax: SWITCH_MS_MAX, signal },
      next: registry => stepTo(context, lease, registry),
      async refused(error, triedMs) {
        if (isReported(error, triedMs)) await noteWait(context, lease, error.message);
      },
    });
    if (isActive) context.logger.info({ generation: id }, 'Generation is active');
    return isActive;
  } catch (error) {
    if (error instanceof NotReadyError || (signal.aborted && isTransient(error))) return false;
    throw error;
  }
}

async function stepTo(
  context: GenerationsContext,
  lease: Lease,
  registry: Registry,
): Promise<SwitchStep<boolean>> {
  const { id } = lease;
  if (registry.active === id) return { outcome: true };
  // The build may have failed during the verification, and another process may have the lease.
  if (!findBuild(registry, lease)) return { outcome: false };
  const { collections } = context.partsOf(id);
  const halted = await haltedReason(collections);
  if (halted !== null) {
    await failBuild(context, lease, halted);
    return { outcome: false };
  }
  await completeIndexes(collections);
  return { outcome: true, change: { to: id, after: now => switched(registry, id, now) } };
}

function isReported({ what }: NotReadyError, triedMs: number): boolean {
  return what === 'streams' || what === 'log' || (what === 'partitions' && triedMs >= BEHIND_MS);
}
