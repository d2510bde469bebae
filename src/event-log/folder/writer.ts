// The one writer: lines go behind the committed ends of their segments, then one mark commits them all.
import { type FileHandle, open } from 'node:fs/promises';
import { UserError } from '../../errors.ts';
import { type Appended, type NewRecord, RECORD_BYTES_MAX } from '../event-log.ts';
import { partitionOf } from '../partition-of.ts';
import { subjectOf } from '../subject-of.ts';
import { syncFolder, writeAt } from './durable.ts';
import { FILE_MODE, partitionFolder, segmentFile } from './layout.ts';
import { readMark, writeMark } from './mark.ts';
import { recover } from './recover.ts';

export interface Writer {
  /** All or none. After a failure the next call starts from what the mark says, as after a crash. */
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

/** A partition where it is being written. */
interface Tail {
  readonly partition: number;
  /** Offset of the next record. */
  end: number;
  segment: number;
  /** Bytes of the segment, those that wait in `lines` not counted. */
  bytes: number;
  handle: FileHandle | null;
  lines: Buffer[];
  lineBytes: number;
  /** Something was written since the last commit; a file was made since. */
  touched: boolean;
  made: boolean;
}

interface Session {
  commit: number;
  readonly tails: readonly Tail[];
}

/** Needs the lock. Cuts off first what an earlier writer left uncommitted. */
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
      const before = session.commit;
      try {
        const appended = await write(session, records, options);
        await commit(session, options.folder);
        return appended;
      } catch (error) {
        await endSession();
        // On a full disk the space that uncommitted lines take is what everybody else needs.
        await recover(options.folder, options.partitions).catch(() => {});
        throw await failure(options, before, error);
      }
    },
    close: endSession,
  };
}

/** A mark whose folder could not be made durable may have been written all the same. */
async function failure(
  { folder, partitions }: WriterOptions,
  before: number,
  error: unknown,
): Promise<unknown> {
  const mark = await readMark(folder, partitions).catch(() => null);
  if (mark?.commit === before) return error;
  return new UserError(
    `It is not known whether the records were appended (${(error as Error).message}): append them again, what is in the log already is refused`,
    { cause: error },
  );
}

async function startSession(options: WriterOptions): Promise<Session> {
  const mark = await recover(options.folder, options.partitions);
  const idle = { handle: null, lineBytes: 0, touched: false, made: false };
  const tails = mark.partitions.map((end, partition) => ({
    ...{ ...idle, ...end, partition },
    lines: [],
  }));
  return { commit: mark.commit, tails };
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
      await roll(tail, options.folder);
    }
    tail.lines.push(line);
    tail.lineBytes += line.length;
    appended.push({ partition, offset: tail.end });
    tail.end += 1;
    if (tail.lineBytes >= WRITE_BYTES) await flush(tail, options.folder);
  }
  return appended;
}

/** The line as it is stored; checked here, since what is committed can not be mended. */
function lineOf(record: NewRecord): Buffer {
  const line = Buffer.from(`${record.value}\n`);
  const value = line.subarray(0, -1);
  if (value.includes(LINE_FEED)) throw new Error('A value must not contain a line feed');
  if (value.length > RECORD_BYTES_MAX) {
    throw new Error(`A value has at most ${RECORD_BYTES_MAX} bytes, got ${value.length}`);
  }
  // A line carries no key but its subject; one without a subject is read back without a key.
  const subject = subjectOf(value) ?? record.key;
  if (subject !== record.key) {
    throw new Error(`A value's subject is its key: expected ${record.key}, got ${subject}`);
  }
  return line;
}

async function flush(tail: Tail, folder: string): Promise<void> {
  if (tail.lineBytes === 0) return;
  tail.handle ??= await openSegment(tail, folder);
  await writeAt(tail.handle, Buffer.concat(tail.lines, tail.lineBytes), tail.bytes);
  tail.bytes += tail.lineBytes;
  tail.lines = [];
  tail.lineBytes = 0;
  tail.touched = true;
}

/** What is committed of a segment stays; a segment of which nothing is committed begins empty. */
async function openSegment(tail: Tail, folder: string): Promise<FileHandle> {
  const path = segmentFile(folder, tail.partition, tail.segment);
  if (tail.bytes > 0) return open(path, 'r+');
  tail.made = true;
  return open(path, 'w', FILE_MODE);
}

/** Ends the segment; the next line stands first in the next one. */
async function roll(tail: Tail, folder: string): Promise<void> {
  await flush(tail, folder);
  await tail.handle?.datasync();
  await tail.handle?.close();
  tail.handle = null;
  tail.segment = tail.end;
  tail.bytes = 0;
}

async function commit(session: Session, folder: string): Promise<void> {
  await Promise.all(session.tails.map(tail => makeDurable(tail, folder)));
  const partitions = session.tails.map(({ end, segment, bytes }) => ({ end, segment, bytes }));
  await writeMark(folder, { commit: session.commit + 1, partitions });
  session.commit += 1;
}

async function makeDurable(tail: Tail, folder: string): Promise<void> {
  await flush(tail, folder);
  if (tail.touched) await tail.handle?.datasync();
  if (tail.made) await syncFolder(partitionFolder(folder, tail.partition));
  tail.touched = false;
  tail.made = false;
}
