// Tries a switch of generations until a transaction finds the new one as far as the active one, which is held for a moment
// where that does not come about by itself.
import { delay } from '../process/waiting.ts';
import { generationCollections } from '../store/collections.ts';
import { isTransient } from '../store/database-errors.ts';
import { endLockers } from '../store/open-sessions.ts';
import { type Registry, readRegistry } from '../store/registry.ts';
import type { ReadDatabase } from '../store/snapshot.ts';
import {
  NotReadyError,
  type Switch,
  switchGeneration,
} from '../store/writing/switch-generation.ts';
import { HOLD_MS, whileHeld } from '../store/writing/switch-hold.ts';
import { findObstacle } from '../store/writing/switch-obstacles.ts';

const RETRY_MS = 50;
/** Under load some partition is always behind: a switch that has been tried this long holds the active generation. */
const HELD_AFTER_MS = 1000;
/** A hold ends so much later than the wait for the other generation, because the switch comes in between. */
const HOLD_LEFT_MS = 500;

/** What the registry asks for. */
export interface SwitchStep<T> {
  /** What is returned: after the switch, or at once where none is to be made. */
  readonly outcome: T;
  readonly change?: Switch;
}

export interface Tries<T> {
  /** Runs before each try: the result of the one before may have got lost, and another process may have switched. */
  readonly next: (registry: Registry) => Promise<SwitchStep<T>>;
  /** Called when a try finds an obstacle; throws if that does not pass by itself. */
  readonly refused: (error: NotReadyError, triedMs: number) => Promise<void>;
  /** The last try begins after this time at the latest. */
  readonly msMax: number;
  readonly signal?: AbortSignal;
}

/**
 * Switches, and returns the outcome.
 *
 * @throws NotReadyError, or an error that may pass, after the last try
 */
export async function trySwitch<T>(
  db: ReadDatabase,
  { next, refused, msMax, signal }: Tries<T>,
): Promise<T> {
  const beganMs = performance.now();
  let isHard = false;
  for (let failures = 1; ; failures += 1) {
    const triedAtMs = performance.now();
    const isLast = triedAtMs - beganMs > msMax;
    try {
      const registry = await readRegistry(db);
      const { outcome, change } = await next(registry);
      if (change) await (isHard ? switchHeld : switchGeneration)(db, registry, change);
      return outcome;
    } catch (error) {
      const triedMs = performance.now() - beganMs;
      const isRefused = error instanceof NotReadyError;
      // A chunk or a drain of the active generation was being committed, or the database was away.
      if (!isRefused && !isTransient(error)) throw error;
      if (isRefused) await refused(error, triedMs);
      if (isLast || signal?.aborted) throw error;
      await endLockers({ db }, { failures, error });
      // What an operator has to mend does not pass while the active generation waits.
      isHard = triedMs >= HELD_AFTER_MS && (!isRefused || error.what === 'partitions');
    }
    // The active generation may have been held as long as this try took: it gets twice that time to go on.
    await delay(Math.max(RETRY_MS, 2 * (performance.now() - triedAtMs)), signal);
  }
}

/** Switches while the active generation is held, once the other one has reached it. */
async function switchHeld(db: ReadDatabase, registry: Registry, change: Switch): Promise<void> {
  const { active } = registry;
  if (active === null) return await switchGeneration(db, registry, change);
  const untilMs = performance.now() + HOLD_MS - HOLD_LEFT_MS;
  const parties = { from: active, to: change.to };
  const isBehind = () => findObstacle(db, parties, { kinds: ['partitions'] });
  await whileHeld(generationCollections(db, active).checkpoints, async () => {
    while (performance.now() < untilMs && (await isBehind())) await delay(RETRY_MS);
    await switchGeneration(db, registry, change);
  });
}
