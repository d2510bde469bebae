// Takes a status snapshot every 5 s for the history, and on request; never two at the same time.
import { type HeldEvents, readHeldEvents } from '../../projector/operate/held-events.ts';
import { createSamples, SAMPLE_MS, type Sample } from './samples.ts';
import {
  createProbe,
  createSnapshotTaker,
  type Probe,
  STEP_MS_MAX,
  type StatusSnapshot,
  type StatusSources,
  type TakeSnapshot,
} from './status-snapshot.ts';

export interface StatusMonitor {
  /** Begins to take snapshots. Until then a snapshot says that no server answers. */
  watch(sources: StatusSources): void;
  /** Returns a snapshot that is at most a second old, or takes a new one. */
  snapshot(): Promise<StatusSnapshot>;
  /**
   * Returns the first events of the streams that the last snapshot names as held; null while the database does not
   * answer. Only the page shows them, so no snapshot reads them.
   */
  heldEvents(): Promise<HeldEvents | null>;
  /** Returns the progress of the generations over the last hour, oldest sample first. */
  history(): readonly Sample[];
  stop(): void;
}

/** Requests within this time after a snapshot share it. */
const SHARED_MS = 1000;

/** @param hasLog false for a reader, which never opens the log */
export function createStatusMonitor(hasLog: boolean, now: () => Date): StatusMonitor {
  const samples = createSamples();
  let take: TakeSnapshot | null = null;
  let probeHeld: Probe<HeldEvents | null> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<StatusSnapshot> | null = null;
  let last: StatusSnapshot = unconnected(hasLog, new Date(0));

  async function takeAndKeep(takeSnapshot: TakeSnapshot): Promise<StatusSnapshot> {
    last = await takeSnapshot();
    if (last.projection) samples.add(last.projection.at.getTime(), last.projection.status);
    return last;
  }

  function snapshot(): Promise<StatusSnapshot> {
    if (!take) return Promise.resolve(unconnected(hasLog, now()));
    if (Math.abs(now().getTime() - last.at.getTime()) < SHARED_MS) return Promise.resolve(last);
    underWay ??= takeAndKeep(take).finally(() => {
      underWay = null;
    });
    return underWay;
  }

  return {
    watch(sources) {
      take = createSnapshotTaker(sources, now);
      const held = async () =>
        last.projection && readHeldEvents(sources.readModel, last.projection.status);
      probeHeld = createProbe(held, STEP_MS_MAX);
      timer = setInterval(() => void snapshot(), SAMPLE_MS).unref();
    },
    snapshot,
    heldEvents: async () => (await probeHeld?.()) ?? null,
    history: () => samples.all(),
    stop: () => clearInterval(timer),
  };
}

function unconnected(hasLog: boolean, at: Date): StatusSnapshot {
  return { at, registry: null, logAnswers: hasLog ? false : null, projection: null };
}
