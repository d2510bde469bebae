// What readers may see: the committed state of the folder, held in memory and renewed when the mark changes.
import { type FSWatcher, watch } from 'node:fs';
import { DamagedLogError } from '../damaged-log-error.ts';
import type { Bounds } from '../event-log.ts';
import { coalesced } from './coalesced.ts';
import { syncFolder } from './durable.ts';
import { listSegments, MARK_FILE, segmentFile } from './layout.ts';
import { type Mark, type MarkedEnd, readMark } from './mark.ts';
import { checkSegments } from './whole-lines.ts';

/** The committed part of one partition. */
export interface PartitionView extends MarkedEnd {
  /** First offsets of the committed segments, ascending; none before the first record. */
  readonly segments: readonly number[];
}

export interface View {
  current(partition: number): PartitionView;
  /** Reads the mark: what was committed before the call is in `current` when it resolves. */
  refresh(): Promise<void>;
  /** Notices commits of any process until the signal aborts. */
  follow(signal: AbortSignal): void;
  /** Resolves once the partition holds a record at that offset, or the signal given to `follow` aborts. */
  grown(partition: number, offset: number, signal: AbortSignal): Promise<void>;
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function boundsOf(view: PartitionView): Bounds {
  return { start: view.segments[0] ?? view.end, end: view.end };
}

/** `pollMs`: how often the mark is read where the system tells no changes (network folders). */
export async function openView(folder: string, partitions: number, pollMs: number): Promise<View> {
  let state = await load(folder, partitions, null);
  const waiters = new Set<Waiter>();
  const wake = (settle: (waiter: Waiter) => void) => {
    for (const waiter of waiters) settle(waiter);
    waiters.clear();
  };
  const refresh = coalesced(async () => {
    const next = await load(folder, partitions, state);
    if (next === state) return;
    state = next;
    wake(waiter => waiter.resolve());
  });
  const changed = () => {
    refresh().catch(error => wake(waiter => waiter.reject(error)));
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
      // One that has aborted already tells nobody any more.
      if (signal.aborted) return;
      const stop = watchMark(folder, pollMs, changed);
      const ended = () => {
        stop();
        wake(waiter => waiter.resolve());
      };
      signal.addEventListener('abort', ended, { once: true });
    },
  };
}

interface State {
  readonly mark: Mark;
  readonly partitions: readonly PartitionView[];
}

function partitionView(state: State, partition: number): PartitionView {
  const view = state.partitions[partition];
  if (view === undefined) throw new RangeError(`There is no partition ${partition}`);
  return view;
}

async function load(folder: string, partitions: number, before: State | null): Promise<State> {
  const mark = await readMark(folder, partitions);
  if (before !== null && mark.commit === before.mark.commit) return before;
  // The writer may not have made its mark durable yet. Nothing may be read that a power cut takes
  // back, so the reader does it too; mostly there is nothing left to do.
  await syncFolder(folder);
  const views = mark.partitions.map((end, partition) =>
    viewOf(folder, partition, end, before?.partitions[partition]),
  );
  return { mark, partitions: await Promise.all(views) };
}

async function viewOf(
  folder: string,
  partition: number,
  end: MarkedEnd,
  before: PartitionView | undefined,
): Promise<PartitionView> {
  if (before !== undefined && end.end < before.end) {
    throw new DamagedLogError(
      `The log in ${folder} went back: partition ${partition} ended at ${before.end} and now ends at ${end.end}`,
    );
  }
  if (end.end === 0) return { ...end, segments: [] };
  const known = before !== undefined && before.end > 0 && before.segment === end.segment;
  const segments = known ? before.segments : await committedSegments(folder, partition, end);
  if (before === undefined) await checkSegments(folder, partition, segments, end);
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

function watchMark(folder: string, pollMs: number, changed: () => void): () => void {
  const poll = setInterval(changed, pollMs);
  let watcher: FSWatcher | null = null;
  try {
    watcher = watch(folder, (_event, name) => {
      if (name === MARK_FILE || name === null) changed();
    });
    // Without a watcher (none left, the folder replaced) the poll goes on alone.
    watcher.on('error', () => watcher?.close());
  } catch {
    watcher = null;
  }
  return () => {
    clearInterval(poll);
    watcher?.close();
  };
}
