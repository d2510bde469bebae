// The verification of a build before the switch: by one process at a time, which tells how far it is.
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
/** A process that verifies says so again and again; once it falls silent, another one may try. */
const LEASE_MS = 30_000;
const LEASE_RENEWAL_MS = 10_000;
/** How often it says how far it is, at most. */
const TELL_MS = 1000;
/** Ends without a result in a row from which on it is told: one may be a process that was replaced. */
const BROKEN_OFF_MIN = 2;

/** What the process that verifies works with. */
export interface Lease {
  /** Aborts when the process is to stop, and when the build failed or was given up. */
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/**
 * Takes a build's verification on, unless another process has; runs the work under that lease and gives it back.
 *
 * @param waitsFor what is known to be in the way of the switch already
 */
export async function underLease(
  context: GenerationsContext,
  id: string,
  waitsFor: string | null,
  signal: AbortSignal,
  work: (lease: Lease) => Promise<boolean>,
): Promise<boolean> {
  if (!(await takeOn(context, id, waitsFor))) return false;
  const ending = new AbortController();
  const over = new AbortController();
  const told = { done: 0, total: 0 };
  const telling = tell(context, id, told, ending, over.signal);
  const progress = (done: number, total: number) => void Object.assign(told, { done, total });
  try {
    return await work({ signal: AbortSignal.any([signal, ending.signal]), progress });
  } catch (error) {
    if (ending.signal.aborted && !signal.aborted) return false;
    throw error;
  } finally {
    over.abort();
    await telling;
    await changeBuild(context, id, ({ state }) =>
      state === 'verifying' ? { state: 'building', verifyingUntil: null, verified: null } : null,
    );
  }
}

/**
 * Verifies a sample of the streams. Returns null where it ended without a result: the build has failed, as the log does
 * not hold what was applied from it, or it is to be tried again.
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
  const { database, eventLog, partsOf, now } = context;
  const source = { database, generation, store: partsOf(generation), eventLog };
  const request = { stream: null, sample: SAMPLE_STREAMS };
  const report = await verify(source, request, { signal, progress });
  const { streams, documents, differences, damages } = report;
  const counts = { streams, documents, differences, damages };
  await recordVerification(database, { generation, scope: 'sample', at: now(), ...counts });
  await changeBuild(context, generation, ({ brokenOff = 0 }) =>
    brokenOff > 0 ? { brokenOff: 0, waitsFor: null } : null,
  );
  return report;
}

async function takeOn(
  context: GenerationsContext,
  id: string,
  waitsFor: string | null,
): Promise<boolean> {
  const at = context.now();
  let taken = false;
  await changeBuild(context, id, own => {
    const { state, verifyingUntil, brokenOff: before = 0 } = own;
    // Whoever verified before and never gave it back was killed.
    const isLeft = state === 'verifying' && (verifyingUntil ?? at) <= at;
    taken = state === 'building' || isLeft;
    if (!taken) return null;
    const brokenOff = before + (isLeft ? 1 : 0);
    const told = isLeft ? brokenOffWords(brokenOff, null) : own.waitsFor;
    const reason = brokenOff < BROKEN_OFF_MIN ? waitsFor : told;
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
    return { brokenOff, waitsFor: brokenOffWords(brokenOff, message) ?? waitsFor };
  });
  return own?.brokenOff ?? 0;
}

function brokenOffWords(count: number, last: string | null): string | null {
  if (count < BROKEN_OFF_MIN) return null;
  const why = last === null ? 'the process that verified was killed' : last;
  return `Its verification was broken off ${count} times in a row, the last time because: ${why}`;
}

// Renews the lease, tells how far the verification is, and ends it where it is not wanted any more.
async function tell(
  context: GenerationsContext,
  id: string,
  told: { readonly done: number; readonly total: number },
  ending: AbortController,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    await delay(TELL_MS, over);
    // The database may be away; whoever verifies meets that too.
    if (!over.aborted) await tellOnce(context, id, { ...told }, ending).catch(() => {});
  }
}

async function tellOnce(
  context: GenerationsContext,
  id: string,
  verified: { readonly done: number; readonly total: number },
  ending: AbortController,
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
