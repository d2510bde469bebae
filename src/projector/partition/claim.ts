// Claims a partition: the log is checked against the checkpoint, then the held streams are brought up to date.
import type { EventLog } from '../../event-log/event-log.ts';
import { HELD_STREAMS } from '../../store/heads.ts';
import { retried } from '../../store/retry.ts';
import {
  type Claim,
  claimPartition,
  haltPartition,
  holdsLog,
} from '../../store/writing/checkpoints.ts';
import type { CommitSession } from '../../store/writing/commit.ts';
import { checkedBounds, DataLossError, fingerprintOf, orDamage, recordAt } from '../log-damage.ts';
import { isPause, runUnpaused } from '../pause.ts';
import { drain } from '../queue/drain.ts';
import type { ProjectorStore } from '../store.ts';
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
  const { store, eventLog, logger, owner, shadowSets } = context;
  try {
    const sessions = [store.session.id, shadowSets.session];
    const claiming = () => claimChecked(store, eventLog, { partition, owner, sessions });
    const taken = await retried(claiming, context);
    const { claim } = taken;
    logger.info({ partition, next: claim.next, epoch: claim.epoch }, 'Partition claimed');
    context.metrics?.partition(partition, 'claimed');
    const pauseContext = { ...context, collections: store.collections, claim };
    await shadowSets.claimed(claim);
    await runUnpaused(pauseContext, () => resumeHeld(context, partition));
    return taken;
  } catch (error) {
    if (!(error instanceof DataLossError)) throw error;
    reportHalt(context, partition, error);
    return null;
  }
}

interface Claimant {
  readonly partition: number;
  readonly owner: string;
  readonly sessions: readonly CommitSession['id'][];
}

/** @throws DataLossError when the log was shortened, restored or replaced; the checkpoint then says so */
async function claimChecked(
  store: ProjectorStore,
  eventLog: EventLog,
  claimant: Claimant,
): Promise<TakenOver> {
  const { checkpoints } = store.collections;
  const { partition } = claimant;
  const partitions = await eventLog.partitions();
  const claimed = await claimPartition(checkpoints, { ...claimant, partitions });
  const taken = await orDamage(() => checkedClaim(eventLog, claimed));
  if (typeof taken === 'string') {
    const error = new DataLossError(eventLog, partition, taken);
    await haltPartition(checkpoints, claimed, error.message);
    throw error;
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
 * Drains the queues that may go on since the last run: the missing number came as the process was killed, or this version
 * knows a schema that the last one did not. The runner of shadow sets looks after streams that are held for work.
 */
export async function resumeHeld(context: PartitionContext, partition: number): Promise<void> {
  const { store, heartbeat } = context;
  const heldHere = () => store.collections.heads.find({ ...HELD_STREAMS, partition }).toArray();
  for (const { _id, held } of await retried(heldHere, context)) {
    const mayBeKnownNow = held?.why === 'parked' && held.reason.includes('schemaversion');
    if (mayBeKnownNow || held?.why === 'gap') await drain(context, _id);
    await heartbeat?.();
  }
  context.shadowSets.sweep();
}

/** Waits until the generation is resumed. The pause may have come between the last chunk and what follows it. */
export async function waitForResume(
  context: PartitionContext,
  claim: Claim,
  error: unknown,
): Promise<void> {
  if (!isPause(error)) throw error;
  const pauseContext = { ...context, collections: context.store.collections, claim };
  await runUnpaused(pauseContext, () => resumeHeld(context, claim.partition), error);
}

/** Notes for every process, and in the log, that nothing more is applied from the partition. */
export async function halt(
  context: PartitionContext,
  claimed: Claim,
  error: DataLossError,
): Promise<void> {
  const { checkpoints } = context.store.collections;
  reportHalt(context, claimed.partition, error);
  const note = () => haltPartition(checkpoints, claimed, error.message);
  await retried(note, context);
}

function reportHalt(
  { logger, metrics }: PartitionContext,
  partition: number,
  error: DataLossError,
): void {
  logger.fatal({ partition }, error.message);
  metrics?.partition(partition, 'halted');
}
