// Claims a partition: the log is checked against the checkpoint, then the held streams are brought up to date.
import type { EventLog } from '../../event-log/event-log.ts';
import { HELD_STREAMS } from '../../store/heads.ts';
import { retried } from '../../store/retry.ts';
import {
  type Claim,
  claimPartition,
  haltPartition,
  holdsLog,
  partitionsBegun,
} from '../../store/writing/checkpoints.ts';
import { checkedBounds, dataLoss, fingerprintOf, orDamage, recordAt } from '../log-damage.ts';
import { type PauseCause, runUnpaused } from '../pause.ts';
import { drain, drainGap } from '../queue/drain.ts';
import type { PartitionContext } from './partition-context.ts';

export interface TakenOver {
  readonly claim: Claim;
  /** Where the log of the partition ended. */
  readonly end: number;
}

/** Returns null when the log lost data: the partition is halted. */
export async function takeOver(
  context: PartitionContext,
  partition: number,
): Promise<TakenOver | null> {
  const { logger, metrics, shadowSets } = context;
  const taken = await retried(() => claimChecked(context, partition), context);
  if (typeof taken === 'string') {
    reportHalt(context, partition, taken);
    return null;
  }
  const { claim } = taken;
  logger.info({ partition, next: claim.next, epoch: claim.epoch }, 'Partition claimed');
  metrics?.partition(partition, 'claimed');
  await shadowSets.claimed(claim);
  await resumeHeld(context, claim);
  return taken;
}

/** Returns a sentence when the log was shortened, restored or replaced; the checkpoint then says so. */
async function claimChecked(
  { store, eventLog, owner, shadowSets }: PartitionContext,
  partition: number,
): Promise<TakenOver | string> {
  const { checkpoints } = store.collections;
  const sessions = [...store.session.ids, ...shadowSets.sessions];
  const count = await eventLog.partitions();
  const partitions = (await partitionsBegun(checkpoints)) ?? count;
  // A checkpoint of a partition that only another topic has would outlive the mistake.
  if (partition >= partitions) {
    return dataLoss(eventLog, partition, `expected ${partitions} partitions, got ${count}`);
  }
  const claimed = await claimPartition(checkpoints, { partition, owner, sessions, partitions });
  const taken = await orDamage(() => checkedClaim(eventLog, claimed));
  if (typeof taken === 'string') {
    const reason = dataLoss(eventLog, partition, taken);
    await haltPartition(checkpoints, claimed, reason);
    return reason;
  }
  if (claimed.isHalted) await holdsLog(checkpoints, claimed);
  return taken;
}

/** Returns why the log is not the one that was projected, if it is not. */
async function checkedClaim(eventLog: EventLog, claim: Claim): Promise<TakenOver | string> {
  const { partition, fingerprints } = claim;
  const checked = await checkedBounds(eventLog, partition, claim);
  if (typeof checked === 'string') return checked;
  const { start, end } = checked;
  if (fingerprints.length > 0 || start === end) return { claim, end };
  // The first chunk adds its own fingerprint; this one detects a log that begins with other records.
  const first = await recordAt(eventLog, partition, start);
  return { claim: { ...claim, fingerprints: first ? [fingerprintOf(first)] : [] }, end };
}

/**
 * Brings held streams up to date once the generation is not paused.
 *
 * @param met a pause; it may have come between the last chunk and what follows it
 */
export function resumeHeld(
  context: PartitionContext,
  claim: Claim,
  met?: PauseCause,
): Promise<unknown> {
  const pauseContext = { ...context, collections: context.store.collections, claim };
  return runUnpaused(pauseContext, () => drainHeld(context, claim.partition), met);
}

/**
 * Drains the queues that may go on since the last run: the missing sequence came as the process was killed, or this version
 * knows a schema that the last one did not. The runner of shadow sets looks after streams that are held for work.
 */
async function drainHeld(context: PartitionContext, partition: number): Promise<void> {
  const { store, heartbeat } = context;
  const heldHere = () => store.collections.heads.find({ ...HELD_STREAMS, partition }).toArray();
  for (const { _id, held } of await retried(heldHere, context)) {
    const mayBeKnownNow = held?.why === 'parked' && held.reason.includes('schemaversion');
    if (held?.why === 'gap') await drainGap(context, _id);
    else if (mayBeKnownNow) await drain(context, _id);
    await heartbeat?.();
  }
  context.shadowSets.sweep();
}

/** Notes for every process, and in the log, that nothing more is applied from the partition. */
export async function halt(
  context: PartitionContext,
  claimed: Claim,
  reason: string,
): Promise<void> {
  reportHalt(context, claimed.partition, reason);
  await retried(
    () => haltPartition(context.store.collections.checkpoints, claimed, reason),
    context,
  );
}

function reportHalt(
  { logger, metrics }: PartitionContext,
  partition: number,
  reason: string,
): void {
  logger.fatal({ partition }, reason);
  metrics?.partition(partition, 'halted');
}
