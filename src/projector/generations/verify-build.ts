// Verifies a build before the switch. One process at a time does it, under a lease, and stores its progress.
import { delay } from '../../delay.ts';
import { UserError } from '../../errors.ts';
import { backOffMs } from '../../read-store/retry.ts';
import { recordVerification } from '../../read-store/verifications.ts';
import type { VerifyReport } from '../verify/report.ts';
import { verify } from '../verify/verify.ts';
import { changeBuild, failBuild } from './build-record.ts';
import { haltedReason } from './build-watch.ts';
import type { GenerationsContext } from './context.ts';

const SAMPLE_STREAMS = 50;
/** Fewer events than the command verifies at once: projecting goes on in the same process. */
const BUILD_PASS_EVENTS_MAX = 25_000;
/** The verifying process renews its lease; when the lease runs out, another process may take over. */
const LEASE_MS = 30_000;
const LEASE_RENEWAL_MS = 10_000;
/** Interval of storing the progress. */
const PROGRESS_MS = 1000;
/** Broken-off verifications in a row before that is reported: a single one may come from a deployment. */
const BROKEN_OFF_MIN = 2;

/** What the verifying process gets while it has the lease. */
export interface Lease {
  /** Aborts when the process stops, and when the build fails or is given up. */
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
  if (!(await takeLease(context, id, waitsFor))) return false;
  const ending = new AbortController();
  const over = new AbortController();
  const verified = { done: 0, total: 0 };
  const upkeep = keepLease(context, { id, verified, ending }, over.signal);
  const progress = (done: number, total: number) => void Object.assign(verified, { done, total });
  try {
    return await work({ signal: AbortSignal.any([signal, ending.signal]), progress });
  } catch (error) {
    if (ending.signal.aborted && !signal.aborted) return false;
    throw error;
  } finally {
    over.abort();
    await upkeep;
    await changeBuild(context, id, ({ state }) =>
      state === 'verifying'
        ? { state: 'building', verifyingUntil: null, verified: null, indexing: null }
        : null,
    );
  }
}

/**
 * Verifies a sample of the streams. Returns null without a result: either the build is marked as failed, because it
 * cannot be verified at all, or the verification broke off and the next round tries again.
 */
export async function verifySample(
  context: GenerationsContext,
  id: string,
  lease: Lease,
): Promise<VerifyReport | null> {
  try {
    return await verifyOnce(context, id, lease);
  } catch (error) {
    if (lease.signal.aborted) throw error;
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof UserError) {
      await failBuild(context, id, `It could not be verified: ${message}`);
      return null;
    }
    context.logger.error({ generation: id, err: error }, 'A verification was broken off');
    const failures = await noteBrokenOff(context, id, message);
    await delay(backOffMs(failures), lease.signal);
    return null;
  }
}

async function verifyOnce(
  context: GenerationsContext,
  generation: string,
  { signal, progress }: Lease,
): Promise<VerifyReport> {
  const { database, eventLog, partsOf, now, streamEventsMax } = context;
  const store = partsOf(generation);
  const limits = { passEventsMax: BUILD_PASS_EVENTS_MAX, streamEventsMax };
  const source = { database, generation, store, eventLog, ...limits };
  const request = { stream: null, sample: SAMPLE_STREAMS };
  const report = await verify(source, request, { signal, progress });
  const { streams, documents, differences, damages, leftOut } = report;
  if (leftOut.length > 0) context.logger.warn({ generation, leftOut }, 'Streams were not verified');
  const counts = { streams, documents, differences, damages };
  await recordVerification(database, { generation, scope: 'sample', at: now(), ...counts });
  await changeBuild(context, generation, ({ brokenOff = 0 }) =>
    brokenOff > 0 ? { brokenOff: 0, waitsFor: null } : null,
  );
  return report;
}

/** Returns whether this process has the lease now. */
async function takeLease(
  context: GenerationsContext,
  id: string,
  waitsFor: string | null,
): Promise<boolean> {
  const at = context.now();
  let taken = false;
  await changeBuild(context, id, own => {
    const { state, verifyingUntil, brokenOff: before = 0 } = own;
    // The former holder was killed before it gave the lease back.
    const isLeft = state === 'verifying' && (verifyingUntil ?? at) <= at;
    taken = state === 'building' || isLeft;
    if (!taken) return null;
    const brokenOff = before + (isLeft ? 1 : 0);
    const known = isLeft ? describeBrokenOff(brokenOff, null) : own.waitsFor;
    const reason = brokenOff < BROKEN_OFF_MIN ? waitsFor : known;
    const verifying = {
      state: 'verifying',
      verifyingUntil: leaseFrom(at),
      verified: null,
    } as const;
    return { ...verifying, brokenOff, waitsFor: reason };
  });
  return taken;
}

async function noteBrokenOff(
  context: GenerationsContext,
  id: string,
  message: string,
): Promise<number> {
  const own = await changeBuild(context, id, ({ brokenOff: before = 0, waitsFor }) => {
    const brokenOff = before + 1;
    return { brokenOff, waitsFor: describeBrokenOff(brokenOff, message) ?? waitsFor };
  });
  return own?.brokenOff ?? 0;
}

function describeBrokenOff(count: number, last: string | null): string | null {
  if (count < BROKEN_OFF_MIN) return null;
  const why = last === null ? 'the process that verified was killed' : last;
  return `Its verification was broken off ${count} times in a row, the last time because: ${why}`;
}

interface LeaseUpkeep {
  /** The build. */
  readonly id: string;
  readonly verified: { readonly done: number; readonly total: number };
  /** Ends the verification when the build has failed or was given up. */
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
  { id, verified: { ...verified }, ending }: LeaseUpkeep,
): Promise<void> {
  const at = context.now();
  const own = await changeBuild(context, id, ({ state, verifyingUntil, verified: before }) => {
    if (state !== 'verifying') return null;
    const leftMs = (verifyingUntil ?? at).getTime() - at.getTime();
    const isSame = (before?.done ?? 0) === verified.done && (before?.total ?? 0) === verified.total;
    if (isSame && leftMs > LEASE_MS - LEASE_RENEWAL_MS) return null;
    return { verified, verifyingUntil: leaseFrom(at) };
  });
  const halted = await haltedReason(context.partsOf(id).collections);
  if (own?.state !== 'verifying' || halted !== null) ending.abort();
}

function leaseFrom(at: Date): Date {
  return new Date(at.getTime() + LEASE_MS);
}
