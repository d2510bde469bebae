// From built to active: a generation that has caught up is verified and then switched to. Whatever keeps it from that
// is in its record as soon as it is known.
import { delay } from '../../delay.ts';
import { readPause } from '../../read-store/parking-alarm.ts';
import { changeRegistry, type GenerationRecord, readRegistry } from '../../read-store/registry.ts';
import { NotReadyError, switchGeneration } from '../../read-store/switch-generation.ts';
import {
  partitionsBehind,
  partitionsHalted,
  type SwitchParties,
  streamsBehind,
} from '../../read-store/switch-obstacles.ts';
import { differenceText } from '../verify/difference.ts';
import { failBuild, noteWait } from './build-record.ts';
import {
  type BuildWatch,
  haltedReason,
  isStandstill,
  pausedWords,
  readBuild,
} from './build-watch.ts';
import type { GenerationsContext } from './context.ts';
import { isBuild, switched, withOwnFailure } from './plan.ts';
import { type Lease, underLease, verifySample } from './verify-build.ts';

/** How long one round waits for a generation to reach the end that the log had at its beginning. */
const CATCH_UP_MS_MAX = 5000;
const CATCH_UP_POLL_MS = 50;
const SWITCH_RETRY_MS = 50;
/** How long a switch is tried before the generation is given up for this round. */
const SWITCH_MS_MAX = 30_000;
/** Under load a partition is behind for a moment; from then on it is told. */
const BEHIND_MS = 2000;

/** Promotes a generation if it is ready; returns whether it is active now. */
export async function promote(
  context: GenerationsContext,
  watch: BuildWatch,
  build: GenerationRecord,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await caughtUp(context, watch, build, signal))) return false;
  const { id } = build;
  const { active } = await readRegistry(context.database);
  const parties = active === null ? null : { from: active, to: id };
  const obstacle = parties && (await obstacleOf(context, parties));
  if (obstacle !== null) {
    // To verify it would be in vain until that is mended.
    await noteWait(context, id, 'any', obstacle);
    return false;
  }
  // Only the switch itself disproves this one: under load it comes and goes.
  const known = build.waitsFor;
  const behind = parties && known && (await partitionsBehind(context.database, parties));
  const waitsFor = behind === known ? known : null;
  return await underLease(context, id, waitsFor, signal, lease =>
    verifyAndSwitch(context, id, lease),
  );
}

async function obstacleOf(
  { database }: GenerationsContext,
  parties: SwitchParties,
): Promise<string | null> {
  const halted = await partitionsHalted(database, parties);
  return halted ?? (await streamsBehind(database, parties));
}

/** Tells of a build that does not come on, whichever version is to build it; fails it where its log is damaged. */
export async function watchBuild(
  context: GenerationsContext,
  watch: BuildWatch,
  build: GenerationRecord,
): Promise<{ readonly applied: number; readonly total: number } | null> {
  const { id, version } = build;
  const standing = await readBuild(context.partsOf(id).collections, context.eventLog);
  if (standing.halted !== null) {
    await failBuild(context, id, standing.halted);
    return null;
  }
  // A pause of projecting explains a standstill better than the standstill itself.
  const pause = await readPause(context.partsOf(id).collections);
  const observed = watch.observe({ id, version }, standing, performance.now());
  const standstill = pause ? pausedWords(pause.reason) : observed;
  const isOver = standstill === null && isStandstill(build.waitsFor);
  if (standstill || isOver) await noteWait(context, id, 'any', standstill);
  return standing;
}

// Everything that the log held when it was asked; what comes meanwhile is for the switch to compare.
async function caughtUp(
  context: GenerationsContext,
  watch: BuildWatch,
  build: GenerationRecord,
  signal: AbortSignal,
): Promise<boolean> {
  let wanted: number | null = null;
  for (let waitedMs = 0; waitedMs <= CATCH_UP_MS_MAX; waitedMs += CATCH_UP_POLL_MS) {
    if (signal.aborted) return false;
    // It may fail, be replaced or be given up meanwhile.
    const { generations } = await readRegistry(context.database);
    const own = generations.find(({ id }) => id === build.id);
    if (!own || !isBuild(own)) return false;
    const standing = await watchBuild(context, watch, own);
    if (standing === null) return false;
    wanted ??= standing.total;
    if (standing.applied >= wanted) return true;
    await delay(CATCH_UP_POLL_MS);
  }
  return false;
}

async function verifyAndSwitch(
  context: GenerationsContext,
  id: string,
  lease: Lease,
): Promise<boolean> {
  const report = await verifySample(context, id, lease);
  if (report === null) return false;
  const { named, differences, damage } = report;
  const [first] = named;
  const [lost] = damage;
  if (lost !== undefined) {
    await failBuild(context, id, `Verification found the log damaged: ${lost}`);
    return false;
  }
  if (!first) return await switchTo(context, id, lease.signal);
  const reason = `Verification found a difference: ${differenceText(first)}`;
  // The values stay out of the log: they may be somebody's own words.
  const found = { generation: id, stream: first.stream, differences };
  context.logger.error(found, 'Verification found differences');
  await changeRegistry(context.database, registry =>
    withOwnFailure(registry, id, reason, context.now()),
  );
  return false;
}

async function switchTo(
  context: GenerationsContext,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { client, database, logger, partsOf, now } = context;
  const beganMs = performance.now();
  for (;;) {
    const registry = await readRegistry(database);
    // It may have failed while it was verified.
    if (!registry.generations.some(own => own.id === id && own.state === 'verifying')) return false;
    const halted = await haltedReason(partsOf(id).collections);
    if (halted !== null) {
      await failBuild(context, id, halted);
      return false;
    }
    try {
      await switchGeneration(client, database, registry, switched(registry, id, now()));
      logger.info({ generation: id }, 'Generation is active');
      return true;
    } catch (error) {
      if (!(error instanceof NotReadyError)) throw error;
      const triedMs = performance.now() - beganMs;
      const isTold =
        error.what === 'streams' ||
        error.what === 'log' ||
        (error.what === 'partitions' && triedMs >= BEHIND_MS);
      if (isTold) await noteWait(context, id, 'verifier', error.message);
      if (signal.aborted || triedMs > SWITCH_MS_MAX) return false;
    }
    await delay(SWITCH_RETRY_MS);
  }
}
