// The committed state of the folder, cached in memory and reloaded when the mark changes. Reads see nothing past it.
import { type FSWatcher, watch } from 'node:fs';
import { DamagedLogError, type LogBounds } from '../event-log.ts';
import { syncFolder } from './durable.ts';
import { listSegments, MARK_FILE, segmentFile } from './layout.ts';
import { isSameMark, type Mark, type MarkedEnd, readMark } from './mark.ts';
import { checkSegments } from './whole-lines.ts';

/** The committed part of one partition. */
export interface PartitionView extends MarkedEnd {
  /** First offsets of the committed segments, ascending; empty before the first record. */
  readonly segments: readonly number[];
}

export interface View {
  current(partition: number): PartitionView;
  /** Reads the mark. When this resolves, `current` includes everything committed before the call. */
  refresh(): Promise<void>;
  /** Watches for commits of all processes until the signal aborts. */
  follow(signal: AbortSignal): void;
  /** Resolves once the partition holds a record at the offset, or the signal aborts; `follow` needs the same signal. */
  grown(partition: number, offset: number, signal: AbortSignal): Promise<void>;
}

/** What passes sooner, as a lack of file descriptors, ends nobody's wait. */
const FAILING_MS_MAX = 5000;

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function boundsOf(view: PartitionView): LogBounds {
  return { start: view.segments[0] ?? view.end, end: view.end };
}

/** @param pollMs how often the mark is read where the system reports no file changes (network folders) */
export async function openView(folder: string, partitions: number, pollMs: number): Promise<View> {
  let state = await load(folder, partitions, null);
  const waiters = new Set<Waiter>();
  const wakeAll = (wake: (waiter: Waiter) => void) => {
    for (const waiter of waiters) wake(waiter);
    waiters.clear();
  };
  const refresh = coalesced(async () => {
    const next = await load(folder, partitions, state);
    if (next === state) return;
    state = next;
    wakeAll(waiter => waiter.resolve());
  });
  let failingSince: number | null = null;
  const changed = async () => {
    try {
      await refresh();
      failingSince = null;
    } catch (error) {
      failingSince ??= performance.now();
      const isLasting = performance.now() - failingSince >= FAILING_MS_MAX;
      if (isLasting || error instanceof DamagedLogError) wakeAll(waiter => waiter.reject(error));
    }
  };
  return {
    current: partition => partitionView(state, partition),
    refresh,
    async grown(partition, offset, signal) {
      while (!signal.aborted && partitionView(state, partition).end <= offset) {
        await new Promise<void>((resolve, reject) => waiters.add({ resolve, reject }));
      }
    },
    follow(signal) {
      // An aborted signal fires no further event.
      if (signal.aborted) return;
      const stop = watchMark(folder, pollMs, changed);
      const ended = () => {
        stop();
        wakeAll(waiter => waiter.resolve());
      };
      signal.addEventListener('abort', ended, { once: true });
    },
  };
}

interface ViewState {
  readonly mark: Mark;
  readonly partitions: readonly PartitionView[];
}

function partitionView(state: ViewState, partition: number): PartitionView {
  const view = state.partitions[partition];
  if (view === undefined) throw new RangeError(`There is no partition ${partition}`);
  return view;
}

async function load(
  folder: string,
  partitions: number,
  before: ViewState | null,
): Promise<ViewState> {
  const mark = await readMark(folder, partitions);
  if (before !== null && isSameMark(mark, before.mark)) return before;
  // The writer's mark may not be durable yet, and a power cut must not take back what was read: so the reader makes it
  // durable too. Mostly it already is.
  await syncFolder(folder);
  const views = mark.partitions.map((end, partition) =>
    loadPartition({ folder, partition, end, before: before?.partitions[partition] }),
  );
  return { mark, partitions: await Promise.all(views) };
}

interface LoadOptions {
  readonly folder: string;
  readonly partition: number;
  readonly end: MarkedEnd;
  readonly before: PartitionView | undefined;
}

async function loadPartition(options: LoadOptions): Promise<PartitionView> {
  const { folder, partition, end, before } = options;
  if (before !== undefined && end.end < before.end) {
    throw new DamagedLogError(
      `The log in ${folder} went back: partition ${partition} ended at ${before.end} and now ends at ${end.end}`,
    );
  }
  if (end.end === 0) return { ...end, segments: [] };
  const known = before !== undefined && before.end > 0 && before.segment === end.segment;
  const segments = known ? before.segments : await committedSegments(folder, partition, end);
  if (before === undefined) {
    await checkSegments(end, segments, first => segmentFile(folder, partition, first));
  }
  return { ...end, segments };
}

async function committedSegments(
  folder: string,
  partition: number,
  end: MarkedEnd,
): Promise<number[]> {
  const segments = await listSegments(folder, partition);
  const committed = segments.filter(first => first <= end.segment);
  if (committed.at(-1) === end.segment) return committed;
  const path = segmentFile(folder, partition, end.segment);
  throw new DamagedLogError(`${path} is missing; restore the folder from a backup`);
}

function watchMark(folder: string, pollMs: number, changed: () => Promise<void>): () => void {
  const poll = setInterval(() => void changed(), pollMs);
  let watcher: FSWatcher | null = null;
  try {
    watcher = watch(folder, (_event, name) => {
      if (name === MARK_FILE || name === null) void changed();
    });
    // Without a watcher (system limit reached, folder replaced) polling continues alone.
    watcher.on('error', () => watcher?.close());
  } catch {
    watcher = null;
  }
  return () => {
    clearInterval(poll);
    watcher?.close();
  };
}

/**
 * Returns a function that runs the work; runs never overlap. Calls during a run share the next one, because the
 * current run may already have read what they ask for.
 */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve();
  let queued: Promise<void> | null = null;
  const start = (): Promise<void> => {
    queued = null;
    running = work();
    return running;
  };
  return () => {
    queued ??= running.then(start, start);
    return queued;
  };
}
