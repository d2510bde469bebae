// The embedded event log: a folder of append-only NDJSON segments (rules/events.md#the-folder-log).
import { resolve } from 'node:path';
import { explainedFile, explainFiles } from '../../process/file-errors.ts';
import type { Lock } from '../../process/process-lock.ts';
import type {
  Appended,
  BatchLimits,
  EventLog,
  LogRecord,
  NewRecord,
  PartitionRange,
} from '../event-log.ts';
import { expectLog, makeFolder, openOrCreate } from './create.ts';
import { type Cursor, createCursor } from './cursor.ts';
import { listSegments, lockWriter } from './layout.ts';
import { createOffsetIndex } from './offset-index.ts';
import { followFolder } from './subscription.ts';
import { boundsOf, openView, type View } from './view.ts';
import { openWriter, type Writer } from './writer.ts';

export interface FolderLogOptions {
  /** Partitions of a new log (default 4), whose number never changes. */
  readonly partitions?: number;
  /** Creates a missing log (default true); if false, a missing log is a MissingLogError. */
  readonly create?: boolean;
  /**
   * Holds the writer's lock until `close`, so that no other process appends between a check and the append that relies
   * on it. By default each `append` takes the lock for its own duration.
   */
  readonly writer?: boolean;
  /** Largest size of a segment; a record that exceeds it starts the next one. */
  readonly segmentBytesMax?: number;
  /** How often the mark is read where the system reports no file changes. */
  readonly pollMs?: number;
}

const PARTITIONS_DEFAULT = 4;
const SEGMENT_BYTES_MAX = 67_108_864;
const POLL_MS = 1_000;
const SCAN_LIMITS: BatchLimits = { recordsMax: 5_000, bytesMax: 4_194_304 };
const NOTHING_APPENDED = '. Nothing was appended';

/**
 * Opens the log in a folder, and creates it if it is missing.
 *
 * @throws MissingLogError if it is missing and `create` is false
 * @throws UserError that says why the folder cannot be used
 */
export async function openFolderLog(
  path: string,
  options: FolderLogOptions = {},
): Promise<EventLog> {
  const folder = resolve(path);
  try {
    return await open(folder, options);
  } catch (error) {
    const ending = options.writer === true ? NOTHING_APPENDED : '';
    throw explainedFile(`Cannot open the log in ${folder}`, error, ending);
  }
}

async function open(folder: string, options: FolderLogOptions): Promise<EventLog> {
  const { partitions: wanted = PARTITIONS_DEFAULT } = options;
  if (options.create === false) await expectLog(folder);
  else await makeFolder(folder);
  const lock = options.writer === true ? await lockWriter(folder) : null;
  try {
    const partitions = await openOrCreate(folder, wanted, lock !== null);
    const segmentBytesMax = options.segmentBytesMax ?? SEGMENT_BYTES_MAX;
    const openFolderWriter = () => openWriter({ folder, partitions, segmentBytesMax });
    const writer = lock === null ? null : await openFolderWriter();
    const view = await openView(folder, partitions, options.pollMs ?? POLL_MS);
    return eventLogOf({ folder, partitions, view, lock, writer, openFolderWriter });
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

interface LogParts {
  readonly folder: string;
  readonly partitions: number;
  readonly view: View;
  /** Set together with `writer`, from opening to closing. */
  readonly lock: Lock | null;
  readonly writer: Writer | null;
  readonly openFolderWriter: () => Promise<Writer>;
}

function eventLogOf(parts: LogParts): EventLog {
  const { folder, partitions, view } = parts;
  const name = `folder ${folder}`;
  const unread = `Cannot read the log in ${folder}`;
  const indexes = Array.from({ length: partitions }, createOffsetIndex);
  const openCursor = (partition: number) =>
    createCursor(folder, partition, indexes[partition] ?? createOffsetIndex());
  const closing = new AbortController();
  const subscriptions = new Set<Promise<void>>();
  let appends: Promise<unknown> = Promise.resolve();
  return {
    name,
    partitions: async () => partitions,
    async bounds(partition) {
      await explainFiles(unread, view.refresh);
      const current = view.current(partition);
      // The view's list of segments may be old: a segment that was removed since must not count.
      const segments = await explainFiles(unread, () => listSegments(folder, partition));
      const start = Math.max(segments[0] ?? current.end, boundsOf(current).start);
      return { start, end: current.end };
    },
    settingsProblem: async () => null,
    async *scan(range, signal) {
      try {
        yield* scan({ ...range, view, openCursor, signal });
      } catch (error) {
        throw explainedFile(unread, error);
      }
    },
    append(records) {
      // The lock is released on closing, and a writer without the lock must not write.
      if (closing.signal.aborted) return Promise.reject(new Error(`The log in ${name} is closed`));
      const appended = appends
        .then(() => append(parts, records))
        .catch(error => {
          throw explainedFile(`Cannot append to the log in ${folder}`, error, NOTHING_APPENDED);
        });
      appends = appended.catch(() => {});
      return appended;
    },
    /** A folder has no consumer groups: every subscription gets all partitions. */
    async subscribe(subscriber, { limits, signal }) {
      const options = { name, view, partitions, openCursor, limits };
      const stop = AbortSignal.any([signal, closing.signal]);
      const subscription = explainFiles(unread, () => followFolder(options, subscriber, stop));
      subscriptions.add(subscription);
      await subscription.finally(() => subscriptions.delete(subscription));
    },
    async close() {
      closing.abort();
      await Promise.allSettled([appends, ...subscriptions]);
      await parts.writer?.close();
      await parts.lock?.release();
    },
  };
}

async function append(
  { folder, writer, openFolderWriter, view }: LogParts,
  records: readonly NewRecord[],
): Promise<readonly Appended[]> {
  if (records.length === 0) return [];
  if (writer !== null) {
    const appended = await writer.append(records);
    // The records are in the log; each read looks again.
    await view.refresh().catch(() => {});
    return appended;
  }
  const lock = await lockWriter(folder);
  try {
    const own = await openFolderWriter();
    try {
      return await own.append(records);
    } finally {
      await own.close();
    }
  } finally {
    await lock.release();
  }
}

interface ScanOptions extends PartitionRange {
  readonly view: View;
  readonly openCursor: (partition: number) => Cursor;
  readonly signal: AbortSignal | undefined;
}

async function* scan(options: ScanOptions): AsyncGenerator<readonly LogRecord[]> {
  const { view, openCursor, partition, from, signal } = options;
  await view.refresh();
  const current = view.current(partition);
  const to = Math.min(options.to, current.end);
  const cursor = openCursor(partition);
  try {
    let next = from;
    while (next < to && signal?.aborted !== true) {
      const records = await cursor.read(current, { from: next, to }, SCAN_LIMITS);
      yield records;
      next += records.length;
    }
  } finally {
    await cursor.close();
  }
}
