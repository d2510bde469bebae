// Switches to a verified build, as long as this process has its lease and nothing is wrong with it.
import { completeIndexes } from '../store/collections.ts';
import { isTransient } from '../store/database-errors.ts';
import { switched } from '../store/generation-plan.ts';
import type { Registry } from '../store/registry.ts';
import { NotReadyError } from '../store/writing/switch-generation.ts';
import { failBuild, noteWait } from './build-record.ts';
import { haltedReason } from './build-watch.ts';
import type { GenerationsContext } from './generations-context.ts';
import { findBuild } from './lease.ts';
import { type SwitchStep, trySwitch } from './try-switch.ts';
import type { Lease } from './verify-build.ts';

/** A switch is retried this long; then the round ends and the next one verifies again. */
const SWITCH_MS_MAX = 30_000;
/** Under load a partition is behind for a moment; this is reported only after so long. */
const BEHIND_MS = 5000;

/** Makes the build that this process has verified active; returns whether it is. */
export async function switchTo(context: GenerationsContext, lease: Lease): Promise<boolean> {
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
