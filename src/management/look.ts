// One look at what the process depends on and works on: database, log, generations, partitions, held streams.
import type { EventLog } from '../event-log/event-log.ts';
import { type SystemStatus, systemStatus } from '../projector/system-status.ts';
import { generationCollections } from '../read-store/collections.ts';
import { type Registry, readRegistry } from '../read-store/registry.ts';
import type { ReadDatabase } from '../read-store/snapshot.ts';
import { lastVerifications, type Verification } from '../read-store/verifications.ts';
import { createProbe } from './probe.ts';

/** What there is to be looked at, once the process is connected. */
export interface Sources {
  readonly readModel: ReadDatabase;
  /** Null for a reader: it never sees the log. */
  readonly log: EventLog | null;
}

export interface Look {
  /** When it began. */
  readonly at: Date;
  /** Null while the database does not answer. */
  readonly registry: Registry | null;
  /** Whether the log answers; null where the process has none. */
  readonly logAnswers: boolean | null;
  /** How far the generations are; null for a reader, and while that cannot be found out. */
  readonly standing: Standing | null;
}

/** At most `STANDING_AGE_MS_MAX` old: to find it out may take longer than a look. */
export interface Standing {
  readonly at: Date;
  readonly status: SystemStatus;
  readonly verifications: readonly Verification[];
}

export type LookAgain = () => Promise<Look>;

/** How long each of the two steps of a look may take; health checks wait for both. */
const STEP_MS_MAX = 1000;
const STANDING_AGE_MS_MAX = 15_000;

export function createLook({ readModel, log }: Sources, now: () => Date): LookAgain {
  let known: Standing | null = null;
  const askDatabase = createProbe(() => readRegistry(readModel), STEP_MS_MAX);
  const askLog = log && createProbe(() => log.bounds(0), STEP_MS_MAX);
  const askStanding =
    log &&
    createProbe(async () => {
      known = await readStanding(readModel, log, now());
      return known;
    }, STEP_MS_MAX);
  const isFresh = (at: Date) => now().getTime() - at.getTime() <= STANDING_AGE_MS_MAX;
  return async () => {
    const at = now();
    const [registry, bounds] = await Promise.all([askDatabase(), askLog?.() ?? null]);
    const answer = registry && bounds;
    const standing = (answer && (await askStanding?.())) ?? known;
    return {
      at,
      registry,
      logAnswers: askLog ? bounds !== null : null,
      standing: answer && standing && isFresh(standing.at) ? standing : null,
    };
  };
}

async function readStanding(readModel: ReadDatabase, log: EventLog, at: Date): Promise<Standing> {
  const collectionsOf = (id: string) => generationCollections(readModel, id);
  const registry = await readRegistry(readModel);
  const status = await systemStatus(registry, log, collectionsOf, at);
  return { at, status, verifications: await lastVerifications(readModel) };
}
