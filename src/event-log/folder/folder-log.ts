// The embedded event log: a folder of append-only NDJSON segments (events.md, "The embedded log").
import { resolve } from 'node:path';
import { explainedFile, explainFiles } from '../../file-errors.ts';
import type { Lock } from '../../process-lock.ts';
import type { Appended, BatchLimits, EventLog, LogRecord, NewRecord } from '../event-log.ts';
import { expectLog, makeFolder, openOrCreate } from './create.ts';
import { createCursor } from './cursor.ts';
import { listSegments } from './layout.ts';
import { createOffsetIndex } from './offset-index.ts';
import { follow } from './subscription.ts';
import { boundsOf, openView, type View } from './view.ts';
import { openWriter, type Writer } from './writer.ts';
import { lockWriter } from './writer-lock.ts';

export interface FolderLogOptions {
  /** Fixed when the log is made (default 4); opening with another number is an error. */
  readonly partitions?: number;
  /** False: where there is no log, none is made, and a MissingLogError says so (default true). */
  readonly create?: boolean;
  /**
   * Holds the writer's lock from now until `close`, so that nobody appends between a check and what
   * follows from it. Without it every `append` takes the lock for itself.
   */
  readonly writer?: boolean;
  /** Size at which a segment is followed by the next. */
  readonly segmentBytesMax?: number;
  /** How often the mark is read where the system tells no changes. */
  readonly pollMs?: number;
}

const SEGMENT_BYTES_MAX = 67_108_864;
const POLL_MS = 1_000;
const SCAN_LIMITS: BatchLimits = { recordsMax: 5_000, bytesMax: 4_194_304 };
const NOTHING_APPENDED = '. Nothing was appended';

/** Opens the log in a folder; makes it where there is none. A UserError tells what is wrong with the folder. */
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
  if (options.create === false) await expectLog(folder);
  else await makeFolder(folder);
  const lock = options.writer === true ? await lockWriter(folder) : null;
  try {
    const partitions = await openOrCreate(folder, options.partitions, lock !== null);
    const segmentBytesMax = options.segmentBytesMax ?? SEGMENT_BYTES_MAX;
    const openFolderWriter = () => openWriter({ folder, partitions, segmentBytesMax });
    const writer = lock === null ? null : await openFolderWriter();
    const view = await openView(folder, partitions, options.pollMs ?? POLL_MS);
    return createLog({ folder, partitions, view, lock, writer, openFolderWriter });
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

interface Parts {
  readonly folder: string;
  readonly partitions: number;
  readonly view: View;
  /** Both or neither: held from opening to closing. */
  readonly lock: Lock | null;
  readonly writer: Writer | null;
  readonly openFolderWriter: () => Promise<Writer>;
}

function createLog(parts: Parts): EventLog {
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
      // The view knows segments from before; one that was removed since is to be missed.
      const segments = await explainFiles(unread, () => listSegments(folder, partition));
      const start = Math.max(segments[0] ?? current.end, boundsOf(current).start);
      return { start, end: current.end };
    },
    settingsProblem: async () => null,
    async *scan(partition, from, to, signal) {
      try {
        yield* scan(view, openCursor, partition, from, to, signal);
      } catch (error) {
        throw explainedFile(unread, error);
      }
    },
    append(records) {
      // Without the lock a writer may write no more.
      if (closing.signal.aborted) return Promise.reject(new Error(`The log in ${name} is closed`));
      const appended = appends
        .then(() => append(parts, records))
        .catch(error => {
          throw explainedFile(`Cannot append to the log in ${folder}`, error, NOTHING_APPENDED);
        });
      appends = appended.catch(() => {});
      return appended;
    },
    /** A folder knows no groups: every subscription gets all partitions. */
    async subscribe(_group, subscriber, limits, signal) {
      const options = { name, view, partitions, openCursor, limits };
      const stop = AbortSignal.any([signal, closing.signal]);
      const subscription = explainFiles(unread, () => follow(options, subscriber, stop));
      const settled = subscription.then(
        () => {},
        () => {},
      );
      subscriptions.add(settled);
      await subscription.finally(() => subscriptions.delete(settled));
    },
    async close() {
      closing.abort();
      await Promise.all([appends, ...subscriptions]);
      await parts.writer?.close();
      await parts.lock?.release();
    },
  };
}

async function append(
  { folder, writer, openFolderWriter, view }: Parts,
  records: readonly NewRecord[],
): Promise<readonly Appended[]> {
  if (records.length === 0) return [];
  if (writer !== null) {
    const appended = await writer.append(records);
    await view.refresh();
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

async function* scan(
  view: View,
  openCursor: (partition: number) => ReturnType<typeof createCursor>,
  partition: number,
  from: number,
  to: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly LogRecord[]> {
  await view.refresh();
  const current = view.current(partition);
  const end = Math.min(to, current.end);
  const cursor = openCursor(partition);
  try {
    let next = from;
    while (next < end && signal?.aborted !== true) {
      const records = await cursor.read(current, next, end, SCAN_LIMITS);
      yield records;
      next += records.length;
    }
  } finally {
    await cursor.close();
  }
}
