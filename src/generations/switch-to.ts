// Switches to a verified build: tries until a transaction finds it as far as the active generation, which it holds for a
// moment where that does not come about by itself.
import { delay } from '../process/waiting.ts';
import { completeIndexes } from '../store/collections.ts';
import { isTransient } from '../store/database-errors.ts';
import { switched } from '../store/generation-plan.ts';
import { readRegistry } from '../store/registry.ts';
import { NotReadyError, switchGeneration } from '../store/writing/switch-generation.ts';
import { HOLD_MS, whileHeld } from '../store/writing/switch-hold.ts';
import { findObstacle, type SwitchParties } from '../store/writing/switch-obstacles.ts';
import { failBuild, noteWait } from './build-record.ts';
import { haltedReason } from './build-watch.ts';
import type { GenerationsContext } from './generations-context.ts';
import { findBuild } from './lease.ts';
import type { Lease } from './verify-build.ts';

const RETRY_MS = 50;
/** Under load some partition is always behind: a switch that has been tried this long holds the active generation. */
const HELD_AFTER_MS = 1000;
/** A hold ends so much later than the wait for the build, because the switch comes in between. */
const HOLD_LEFT_MS = 500;
/** A switch is retried this long; then the round ends and the next one verifies again. */
const SWITCH_MS_MAX = 30_000;
/** Under load a partition is behind for a moment; this is reported only after so long. */
const BEHIND_MS = 5000;

/** Makes the build that this process has verified active; returns whether it is. */
export async function switchTo(context: GenerationsContext, lease: Lease): Promise<boolean> {
  const { id, signal } = lease;
  const { database, logger, partsOf } = context;
  const beganMs = performance.now();
  let isHard = false;
  for (;;) {
    const triedAtMs = performance.now();
    const registry = await readRegistry(database);
    // The result of the commit may have got lost.
    if (registry.active === id) return true;
    // The build may have failed during the verification, and another process may have the lease.
    if (!findBuild(registry, lease)) return false;
    const halted = await haltedReason(partsOf(id).collections);
    if (halted !== null) {
      await failBuild(context, lease, halted);
      return false;
    }
    try {
      await completeIndexes(partsOf(id).collections);
      const after = (now: Date) => switched(registry, id, now);
      const change = () => switchGeneration(database, registry, { to: id, after });
      await (isHard && registry.active
        ? held(context, { from: registry.active, to: id }, change)
        : change());
      logger.info({ generation: id }, 'Generation is active');
      return true;
    } catch (error) {
      const triedMs = performance.now() - beganMs;
      const isOver = triedMs > SWITCH_MS_MAX;
      // A chunk or a drain of the active generation was being committed.
      if (!(error instanceof NotReadyError)) {
        if (isOver || !isTransient(error)) throw error;
      } else if (isReported(error, triedMs)) await noteWait(context, lease, error.message);
      if (signal.aborted || isOver) return false;
      // What an operator has to mend does not pass while the active generation waits.
      const mayPass = !(error instanceof NotReadyError) || error.what === 'partitions';
      isHard = mayPass && triedMs >= HELD_AFTER_MS;
    }
    // The active generation may have been held as long as this try took: it gets twice that time to go on.
    await delay(Math.max(RETRY_MS, 2 * (performance.now() - triedAtMs)), signal);
  }
}

/** Changes while the active generation is held, once the build has reached it. */
async function held(
  { database, partsOf }: GenerationsContext,
  parties: SwitchParties,
  change: () => Promise<void>,
): Promise<void> {
  const untilMs = performance.now() + HOLD_MS - HOLD_LEFT_MS;
  const isBehind = () => findObstacle(database, parties, { kinds: ['partitions'] });
  await whileHeld(partsOf(parties.from).collections.checkpoints, async () => {
    while (performance.now() < untilMs && (await isBehind())) await delay(RETRY_MS);
    await change();
  });
}

function isReported({ what }: NotReadyError, triedMs: number): boolean {
  return what === 'streams' || what === 'log' || (what === 'partitions' && triedMs >= BEHIND_MS);
}
