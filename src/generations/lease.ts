// The lease under which one process verifies a build. Every change that this process makes to the build's record asks
// whether it still has the lease: it may have stood still for longer than that. Pure.

import { isBuild, withOwnFailure } from '../store/generation-plan.ts';
import type { GenerationRecord, Registry } from '../store/registry.ts';

/** The fields of a record that change. */
export type Fields = Partial<Omit<GenerationRecord, 'id'>>;

/** A build; with a lease, only as long as it is verified under that lease. */
export interface BuildReference {
  readonly id: string;
  readonly lease?: string;
}

/** The verifying process renews its lease; when the lease runs out, another process may take over. */
export const VERIFICATION_LEASE_MS = 30_000;
/** Broken-off verifications in a row before that is reported: a single one may come from a deployment. */
const BROKEN_OFF_MIN = 2;

/** A build that no process verifies. */
export const UNLEASED = {
  state: 'building',
  verifyingUntil: null,
  lease: null,
  verified: null,
  indexing: null,
} as const;

/** Returns the record of a build; undefined when it is none any more, or when another process has its lease. */
export function findBuild(
  { generations }: Pick<Registry, 'generations'>,
  { id, lease }: BuildReference,
): GenerationRecord | undefined {
  return generations.find(
    own =>
      own.id === id &&
      isBuild(own) &&
      (lease === undefined || (own.state === 'verifying' && own.lease === lease)),
  );
}

/**
 * Returns whether a process verifies the build now. Processes whose lease ran out were killed, or stand still. A lease that
 * ends long from now is from before the database's clock was set back; its holder, if it lives, has renewed it since.
 */
export function isLeased({ state, verifyingUntil }: GenerationRecord, now: Date): boolean {
  const leftMs = (verifyingUntil?.getTime() ?? 0) - now.getTime();
  return state === 'verifying' && leftMs > 0 && leftMs <= 2 * VERIFICATION_LEASE_MS;
}

export interface LeaseClaim {
  readonly lease: string;
  /** The obstacle to the switch that is known already, or null. */
  readonly waitsFor: string | null;
  readonly now: Date;
}

/** Returns the fields of a build whose lease is taken, null while another process has it. */
export function acquiredLease(
  own: GenerationRecord,
  { lease, waitsFor, now }: LeaseClaim,
): Fields | null {
  if (isLeased(own, now)) return null;
  const { state, brokenOff: earlier = 0 } = own;
  // The former holder was killed before it gave the lease back.
  const isLeft = state === 'verifying';
  const brokenOff = earlier + (isLeft ? 1 : 0);
  const before = isBrokenOff(own.waitsFor) ? own.waitsFor : waitsFor;
  const known = isLeft ? describeBrokenOff(brokenOff, null) : before;
  return {
    ...{ state: 'verifying', lease, verified: null, brokenOff },
    verifyingUntil: leaseFrom(now),
    waitsFor: brokenOff < BROKEN_OFF_MIN ? waitsFor : known,
  };
}

export function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + VERIFICATION_LEASE_MS);
}

/** Returns why a build waits whose verification was broken off several times in a row; null after the first time. */
export function describeBrokenOff(count: number, last: string | null): string | null {
  if (count < BROKEN_OFF_MIN) return null;
  const why = last ?? 'the process that verified did not give its lease back';
  return `${BROKEN_OFF} ${count} times in a row, the last time because: ${why}`;
}

const BROKEN_OFF = 'Its verification was broken off';

/** Returns whether a reason is one of `describeBrokenOff`. */
export function isBrokenOff(reason: string | null): boolean {
  return reason?.startsWith(BROKEN_OFF) === true;
}

/**
 * Returns the fields of a build that waits, null where nothing changes. While one process verifies a build, only its
 * own notes count.
 */
export function waiting(
  own: GenerationRecord,
  { waitsFor, lease }: { readonly waitsFor: string | null; readonly lease?: string | undefined },
  now: Date,
): Fields | null {
  const isSame = own.waitsFor === waitsFor;
  if (lease !== undefined) return isSame ? null : { waitsFor };
  // When the lease has run out, the verifying process was killed: the build goes back to building.
  if (isLeased(own, now) || (isSame && own.state !== 'verifying')) return null;
  return { ...UNLEASED, waitsFor };
}

/** Returns the registry after a build failed by itself; null when it is no build any more, or the lease is lost. */
export function withFailedBuild(
  registry: Registry,
  build: BuildReference,
  failure: { readonly reason: string; readonly now: Date },
): Registry | null {
  return findBuild(registry, build) ? withOwnFailure(registry, build.id, failure) : null;
}
