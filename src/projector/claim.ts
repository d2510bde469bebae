// Taking a partition over, and what must be true of the log before anything is applied from it.
import type { EventLog } from '../event-log/event-log.ts';
import { type Claim, claimPartition, haltPartition, holdsLog } from '../read-store/checkpoints.ts';
import type { CommitSession } from '../read-store/commit.ts';
import { DataLossError, damageOf, fingerprintOf, recordAt } from './log-damage.ts';
import type { ProjectorStore } from './store.ts';

/**
 * Claims a partition and holds the log against its checkpoint.
 *
 * @throws DataLossError when the log was shortened, restored or made again; the checkpoint then says so
 */
export async function claim(
  store: ProjectorStore,
  log: EventLog,
  partition: number,
  owner: string,
  sessions: readonly CommitSession['id'][],
): Promise<Claim> {
  const { checkpoints } = store.collections;
  const partitions = await log.partitions();
  const claimed = await claimPartition(checkpoints, { partition, owner, sessions, partitions });
  const damage = await damageOf(log, partition, claimed);
  if (damage !== null) {
    const error = new DataLossError(log, partition, damage);
    await haltPartition(checkpoints, claimed, error.message);
    throw error;
  }
  if (claimed.isHalted) await holdsLog(checkpoints, claimed);
  if (claimed.fingerprints.length > 0) return claimed;
  // The first chunk adds its own; this one tells a log that begins with other records.
  const { start, end } = await log.bounds(partition);
  const first = start === end ? null : await recordAt(log, partition, start);
  return first ? { ...claimed, fingerprints: [fingerprintOf(first)] } : claimed;
}
