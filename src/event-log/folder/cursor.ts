// Reads committed lines of one partition: forward in chunks, after a seek that starts near the wanted offset.
import { type FileHandle, open } from 'node:fs/promises';
import {
  type BatchLimits,
  DamagedLogError,
  type LogRecord,
  RECORD_BYTES_MAX,
} from '../event-log.ts';
import { subjectOf } from '../subject-of.ts';
import { expectFile, segmentFile } from './layout.ts';
import type { OffsetIndex } from './offset-index.ts';
import type { PartitionView } from './view.ts';

/** Offsets from `from` up to, not including, `to`; within the view's bounds. */
interface OffsetRange {
  readonly from: number;
  readonly to: number;
}

export interface Cursor {
  /** Returns records from `from` on; none only if the range is empty. */
  read(view: PartitionView, range: OffsetRange, limits: BatchLimits): Promise<LogRecord[]>;
  close(): Promise<void>;
}

const LINE_FEED = 0x0a;
const CHUNK_BYTES = 262_144;
const NO_BYTES = Buffer.alloc(0);

interface CursorState {
  readonly folder: string;
  readonly partition: number;
  readonly index: OffsetIndex;
  /** The open segment; `first` is its first offset. */
  segment: { readonly first: number; readonly path: string; readonly handle: FileHandle } | null;
  /** Offset of the next line. */
  next: number;
  /** The byte of the segment where the next line begins. */
  position: number;
  /** Bytes that were read from the segment. */
  chunk: Buffer;
  /** Where the next line begins in `chunk`. */
  cut: number;
  /** Offset after the last line that the open segment may hold. */
  segmentEnd: number;
}

export function createCursor(folder: string, partition: number, index: OffsetIndex): Cursor {
  const state: CursorState = {
    ...{ folder, partition, index, segment: null },
    ...{ next: 0, position: 0, chunk: NO_BYTES, cut: 0, segmentEnd: 0 },
  };
  return {
    async read(view, { from, to }, limits) {
      if (from >= to) return [];
      if (state.segment === null || state.next !== from) await seek(state, view, from);
      return collect(state, view, { to, ...limits });
    },
    close: () => closeSegment(state),
  };
}

async function collect(
  state: CursorState,
  view: PartitionView,
  { to, recordsMax, bytesMax }: BatchLimits & { readonly to: number },
): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  let bytes = 0;
  while (state.next < to && records.length < recordsMax && bytes < bytesMax) {
    const end = state.chunk.indexOf(LINE_FEED, state.cut);
    if (end === -1) {
      await fill(state, view);
      continue;
    }
    const value = state.chunk.subarray(state.cut, end);
    if (records.length > 0 && bytes + value.length > bytesMax) break;
    bytes += value.length;
    records.push({
      partition: state.partition,
      offset: state.next,
      key: subjectOf(value),
      value,
    });
    consume(state, end);
  }
  return records;
}

/** Moves past the line that ends at `end` of the chunk. */
function consume(state: CursorState, end: number): void {
  if (state.next >= state.segmentEnd) throw damaged(state, 'holds more lines than were committed');
  state.position += end + 1 - state.cut;
  state.cut = end + 1;
  state.next += 1;
}

/** Moves to the offset: starts at the nearest known line before it, and reads forward. */
async function seek(state: CursorState, view: PartitionView, offset: number): Promise<void> {
  const first = view.segments.findLast(candidate => candidate <= offset);
  if (first === undefined) throw new RangeError(`Offset ${offset} is before the start of the log`);
  if (state.segment?.first !== first) await openSegmentAt(state, first);
  const place = state.index.nearest(first, offset);
  state.next = place.offset;
  state.position = place.position;
  state.chunk = NO_BYTES;
  state.cut = 0;
  while (state.next < offset) {
    const end = state.chunk.indexOf(LINE_FEED, state.cut);
    if (end === -1) await fill(state, view);
    else consume(state, end);
  }
}

/** Reads at least one more whole line, from the next segment if this one has ended. */
async function fill(state: CursorState, view: PartitionView): Promise<void> {
  const limit = await openUnreadSegment(state, view);
  const { segment } = state;
  if (segment === null) throw new Error('No segment is open');
  state.index.note(segment.first, state.next, state.position);
  state.cut = 0;
  for (let size = CHUNK_BYTES; ; size *= 2) {
    const wanted = Math.min(size, limit - state.position);
    state.chunk = await readFully(segment.handle, state.position, wanted);
    if (state.chunk.length < wanted) {
      throw damaged(state, `is shorter than was committed (${limit} bytes)`);
    }
    if (state.chunk.includes(LINE_FEED)) return;
    if (wanted === limit - state.position || wanted > RECORD_BYTES_MAX) {
      throw damaged(state, `has no end of the line with offset ${state.next}`);
    }
  }
}

/** Makes sure that the open segment has unread lines. Returns the number of its committed bytes. */
async function openUnreadSegment(state: CursorState, view: PartitionView): Promise<number> {
  for (;;) {
    const { segment } = state;
    if (segment === null) throw new Error('No segment is open');
    const following = view.segments[view.segments.lastIndexOf(segment.first) + 1];
    const limit = following === undefined ? view.bytes : (await segment.handle.stat()).size;
    state.segmentEnd = following ?? view.end;
    if (state.next < state.segmentEnd && state.position < limit) return limit;
    if (state.next < state.segmentEnd) {
      throw damaged(state, `ends before offset ${state.next}, expected ${state.segmentEnd}`);
    }
    if (state.position < limit) throw damaged(state, 'holds more lines than were committed');
    if (following === undefined) throw new RangeError(`There is no offset ${state.next} yet`);
    await openSegmentAt(state, following);
  }
}

async function openSegmentAt(state: CursorState, first: number): Promise<void> {
  await closeSegment(state);
  const path = segmentFile(state.folder, state.partition, first);
  state.segment = { first, path, handle: await expectFile(path, open(path, 'r')) };
  state.next = first;
  state.position = 0;
}

async function closeSegment(state: CursorState): Promise<void> {
  const { segment } = state;
  state.segment = null;
  state.chunk = NO_BYTES;
  state.cut = 0;
  await segment?.handle.close();
}

/** Returns fewer bytes than wanted only at the end of the file. Each call allocates: records keep views of the buffer. */
async function readFully(handle: FileHandle, position: number, wanted: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(wanted);
  let length = 0;
  while (length < wanted) {
    const { bytesRead } = await handle.read(buffer, length, wanted - length, position + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

function damaged(state: CursorState, what: string): DamagedLogError {
  return new DamagedLogError(`${state.segment?.path} ${what}; restore the folder from a backup`);
}
