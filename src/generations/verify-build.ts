// Verifies a build before the switch. One process at a time does it, under a lease, and stores its progress.
import { randomUUID } from 'node:crypto';
import { messageOf } from '../process/describe-error.ts';
import { delay } from '../process/waiting.ts';
import { databaseTime } from '../store/registry.ts';
import { backOffMs } from '../store/retry.ts';
import { recordVerification } from '../store/verifications.ts';
import type { VerifyReport } from '../verify/report.ts';
import { verify } from '../verify/verify.ts';
import { changeBuild } from './build-record.ts';
import { haltedReason } from './build-watch.ts';
import type { GenerationsContext } from './generations-context.ts';
import {
  acquiredLease,
  describeBrokenOff,
  isBrokenOff,
  leaseFrom,
  UNLEASED,
  VERIFICATION_LEASE_MS,
} from './lease.ts';

const SAMPLE_STREAMS = 50;
/** Fewer events than the command verifies at once: projecting goes on in the same process. */
const BUILD_PASS_EVENTS_MAX = 25_000;
const LEASE_RENEWAL_MS = 10_000;
/** Interval of storing the progress. */
const PROGRESS_MS = 1000;

/** What the verifying process gets while it has the lease. */
export interface Lease {
  /** The build. */
  readonly id: string;
  /** Names the lease in the record of the build. */
  readonly lease: string;
  /** Aborts when the process stops, when the build fails or is given up, and when another process has the lease. */
  readonly signal: AbortSignal;
  /** Takes the progress, which is stored with the next renewal. */
  readonly progress: (done: number, total: number) => void;
}

export interface LeaseRequest {
  /** The build. */
  readonly id: string;
  /** The obstacle to the switch that is known already, or null. */
  readonly waitsFor: string | null;
  readonly signal: AbortSignal;
}

/**
 * Takes the lease of a build's verification, runs the work and gives the lease back. Returns the result of the work;
 * false when another process has the lease, or the build failed or was given up meanwhile.
 */
export async function underLease(
  context: GenerationsContext,
  { id, waitsFor, signal }: LeaseRequest,
  work: (lease: Lease) => Promise<boolean>,
): Promise<boolean> {
  const build = { id, lease: randomUUID() };
  const { lease } = build;
  const taken = await changeBuild(context, { id }, (own, now) =>
    acquiredLease(own, { lease, waitsFor, now }),
  );
  if (taken?.lease !== lease) return false;
  const ending = new AbortController();
  const over = new AbortController();
  const verified = { done: 0, total: 0 };
  const upkeep = keepLease(context, { ...build, verified, ending }, over.signal);
  const progress = (done: number, total: number) => void Object.assign(verified, { done, total });
  try {
    return await work({ ...build, signal: AbortSignal.any([signal, ending.signal]), progress });
  } catch (error) {
    if (ending.signal.aborted && !signal.aborted) return false;
    throw error;
  } finally {
    over.abort();
    await upkeep;
    await changeBuild(context, build, () => UNLEASED);
  }
}

/**
 * Runs the work on a build under its lease; returns its result. An error ends no process and fails no build: what this
 * process lacks another may have. It is noted, and the next round, perhaps another process's, tries again.
 */
export async function orBrokenOff(
  context: GenerationsContext,
  lease: Lease,
  work: () => Promise<boolean>,
): Promise<boolean> {
  try {
    if (await work()) return true;
    await changeBuild(context, lease, ({ brokenOff = 0, waitsFor }) =>
      brokenOff > 0 ? { brokenOff: 0, waitsFor: isBrokenOff(waitsFor) ? null : waitsFor } : null,
    );
    return false;
  } catch (error) {
    if (lease.signal.aborted) throw error;
    context.logger.error({ generation: lease.id, err: error }, 'A verification was broken off');
    const failures = await noteBrokenOff(context, lease, messageOf(error));
    await delay(backOffMs(failures), lease.signal);
    return false;
  }
}

/** Verifies a sample of the streams, and records the result. */
export async function verifySample(
  context: GenerationsContext,
  { id: generation, signal, progress }: Lease,
): Promise<VerifyReport> {
  const { database, eventLog, partsOf, streamEventsMax } = context;
  const store = partsOf(generation);
  const limits = { passEventsMax: BUILD_PASS_EVENTS_MAX, streamEventsMax };
  const source = { database, generation, store, eventLog, ...limits };
  const request = { stream: null, sample: SAMPLE_STREAMS };
  const since = await databaseTime(database);
  const report = await verify(source, request, { signal, progress });
  const { streams, documents, differences, damages, leftOut } = report;
  if (leftOut.length > 0) context.logger.warn({ generation, leftOut }, 'Streams were not verified');
  const counts = { streams, documents, differences, damages };
  const at = await databaseTime(database);
  await recordVerification(database, { generation, scope: 'sample', at, ...counts }, since);
  return report;
}

async function noteBrokenOff(
  context: GenerationsContext,
  { id, lease }: Lease,
  message: string,
): Promise<number> {
  const own = await changeBuild(context, { id, lease }, ({ brokenOff: before = 0, waitsFor }) => {
    const brokenOff = before + 1;
    return { brokenOff, waitsFor: describeBrokenOff(brokenOff, message) ?? waitsFor };
  });
  return own?.brokenOff ?? 0;
}

interface LeaseUpkeep extends Pick<Lease, 'id' | 'lease'> {
  readonly verified: { readonly done: number; readonly total: number };
  /** Ends the verification when the lease is lost. */
  readonly ending: AbortController;
}

/** Renews the lease and stores the progress until the signal aborts. */
async function keepLease(
  context: GenerationsContext,
  lease: LeaseUpkeep,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    await delay(PROGRESS_MS, over);
    // The verification itself reports an unreachable database.
    if (!over.aborted) await renewLease(context, lease).catch(() => {});
  }
}

async function renewLease(
  context: GenerationsContext,
  { id, lease, verified: { ...verified }, ending }: LeaseUpkeep,
): Promise<void> {
  const own = await changeBuild(
    context,
    { id, lease },
    ({ verifyingUntil, verified: before }, at) => {
      const leftMs = (verifyingUntil ?? at).getTime() - at.getTime();
      const isSame =
        (before?.done ?? 0) === verified.done && (before?.total ?? 0) === verified.total;
      const isFresh =
        leftMs > VERIFICATION_LEASE_MS - LEASE_RENEWAL_MS && leftMs <= VERIFICATION_LEASE_MS;
      if (isSame && isFresh) return null;
      return { verified, verifyingUntil: leaseFrom(at) };
    },
  );
  const halted = await haltedReason(context.partsOf(id).collections);
  if (own === null || halted !== null) ending.abort();
}
