// The only writer: cuts off the uncommitted bytes of an earlier one, writes lines after the committed ends of the segments,
// then commits them all with one mark.
import { randomUUID } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { UserError } from '../../process/errors.ts';
import { type Appended, type NewRecord, RECORD_BYTES_MAX } from '../event-log.ts';
import { partitionOf } from '../partition-of.ts';
import { subjectOf } from '../subject-of.ts';
import { syncFolder, writeAt } from './durable.ts';
import { FILE_MODE, partitionFolder, segmentFile } from './layout.ts';
import { expectMark, isSameMark, type Mark, readMark, writeMark } from './mark.ts';
import { recover } from './recover.ts';

export interface Writer {
  /** Appends all records or none. After a failure the next call starts from the mark, as after a crash. */
  append(records: readonly NewRecord[]): Promise<readonly Appended[]>;
  close(): Promise<void>;
}

export interface WriterOptions {
  readonly folder: string;
  readonly partitions: number;
  /** A line that would make a segment larger starts the next one. */
  readonly segmentBytesMax: number;
}

const WRITE_BYTES = 1_048_576;
const LINE_FEED = 0x0a;

/** The end of a partition while it is written. */
interface PartitionTail {
  readonly partition: number;
  /** Offset of the next record. */
  end: number;
  segment: number;
  /** Bytes of the segment, without the buffered `lines`. */
  bytes: number;
  handle: FileHandle | null;
  lines: Buffer[];
  lineBytes: number;
  /** Bytes were written since the last commit. */
  written: boolean;
  /** A file was created since the last commit. */
  created: boolean;
}

interface Session {
  /** As this session wrote it last. */
  mark: Mark;
  readonly tails: readonly PartitionTail[];
}

/**
 * The caller must hold the lock. First cuts off the uncommitted bytes of an earlier writer, which may only stand still: the
 * mark gets another number and writer before that, so what it goes on to write is refused.
 */
export async function openWriter(options: WriterOptions): Promise<Writer> {
  let session: Session | null = await startSession(options);
  const endSession = async () => {
    const ending = session;
    session = null;
    for (const tail of ending?.tails ?? []) await tail.handle?.close();
  };
  return {
    async append(records) {
      if (records.length === 0) return [];
      session ??= await startSession(options);
      const before = session.mark;
      try {
        const appended = await write(session, records, options);
        await commit(session, options);
        return appended;
      } catch (error) {
        await endSession();
        throw await afterFailure(options, before, error);
      }
    },
    close: endSession,
  };
}

/**
 * Returns the error to report. The mark may have been written although making its folder durable failed: then the outcome
 * is unknown.
 */
async function afterFailure(
  { folder, partitions }: WriterOptions,
  before: Mark,
  error: unknown,
): Promise<unknown> {
  const mark = await readMark(folder, partitions).catch(() => null);
  if (mark !== null && isSameMark(mark, before)) {
    // On a full disk this frees the space of the uncommitted lines.
    await recover(folder, mark).catch(() => {});
    return error;
  }
  return new UserError(
    `The log did not confirm the records (${(error as Error).message}): append them again, what is in the log already is refused`,
    { cause: error },
  );
}

async function startSession(options: WriterOptions): Promise<Session> {
  const { folder, partitions } = options;
  const found = await readMark(folder, partitions);
  const mark = { ...found, commit: found.commit + 1, writer: randomUUID() };
  await writeMark(folder, mark, found);
  await recover(folder, mark);
  const idle = { handle: null, lineBytes: 0, written: false, created: false };
  const tails = mark.partitions.map((end, partition) => ({
    ...{ ...idle, ...end, partition },
    lines: [],
  }));
  return { mark, tails };
}

async function write(
  session: Session,
  records: readonly NewRecord[],
  options: WriterOptions,
): Promise<Appended[]> {
  const appended: Appended[] = [];
  for (const record of records) {
    const line = lineOf(record);
    const partition = partitionOf(record.key, options.partitions);
    const tail = session.tails[partition];
    if (tail === undefined) throw new RangeError(`There is no partition ${partition}`);
    const bytes = tail.bytes + tail.lineBytes;
    if (bytes > 0 && bytes + line.length > options.segmentBytesMax) {
      await expectMark(options.folder, session.mark);
      await roll(tail, options.folder);
    }
    tail.lines.push(line);
    tail.lineBytes += line.length;
    appended.push({ partition, offset: tail.end });
    tail.end += 1;
    if (tail.lineBytes >= WRITE_BYTES) {
      await expectMark(options.folder, session.mark);
      await flush(tail, options.folder);
    }
  }
  return appended;
}

/** Returns the line to store. Checks it first, because committed lines cannot be corrected. */
function lineOf(record: NewRecord): Buffer {
  const line = Buffer.from(`${record.value}\n`);
  const value = line.subarray(0, -1);
  if (value.includes(LINE_FEED)) throw new Error('A value must not contain a line feed');
  if (value.length > RECORD_BYTES_MAX) {
    throw new Error(`A value has at most ${RECORD_BYTES_MAX} bytes, got ${value.length}`);
  }
  // The key is not stored: reading derives it from the line's subject, and returns null without one.
  const subject = subjectOf(value) ?? record.key;
  if (subject !== record.key) {
    throw new Error(`A value's subject is its key: expected ${record.key}, got ${subject}`);
  }
  return line;
}

async function flush(tail: PartitionTail, folder: string): Promise<void> {
  if (tail.lineBytes === 0) return;
  tail.handle ??= await openTail(tail, folder);
  await writeAt(tail.handle, Buffer.concat(tail.lines, tail.lineBytes), tail.bytes);
  tail.bytes += tail.lineBytes;
  tail.lines = [];
  tail.lineBytes = 0;
  tail.written = true;
}

/** Keeps the committed bytes of a segment; a segment without committed bytes starts empty. */
async function openTail(tail: PartitionTail, folder: string): Promise<FileHandle> {
  const path = segmentFile(folder, tail.partition, tail.segment);
  if (tail.bytes > 0) return open(path, 'r+');
  tail.created = true;
  return open(path, 'w', FILE_MODE);
}

/** Ends the segment; the next line is the first of a new one. */
async function roll(tail: PartitionTail, folder: string): Promise<void> {
  await flush(tail, folder);
  await tail.handle?.datasync();
  await tail.handle?.close();
  tail.handle = null;
  tail.segment = tail.end;
  tail.bytes = 0;
}

async function commit(session: Session, { folder }: WriterOptions): Promise<void> {
  await expectMark(folder, session.mark);
  // All have ended before what they wrote is cut off again.
  const made = await Promise.allSettled(session.tails.map(tail => makeDurable(tail, folder)));
  const failed = made.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
  const partitions = session.tails.map(({ end, segment, bytes }) => ({ end, segment, bytes }));
  const mark = { ...session.mark, commit: session.mark.commit + 1, partitions };
  await writeMark(folder, mark, session.mark);
  session.mark = mark;
}

async function makeDurable(tail: PartitionTail, folder: string): Promise<void> {
  await flush(tail, folder);
  if (tail.written) await tail.handle?.datasync();
  if (tail.created) await syncFolder(partitionFolder(folder, tail.partition));
  tail.written = false;
  tail.created = false;
}
