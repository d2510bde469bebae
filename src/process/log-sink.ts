// Writes the lines of the log to standard error, beside the work of the process: neither a reader that stands still nor a full
// disk stops it. pino's own destination tries for ever, without another turn, where it cannot write as the process ends.
import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { errorCode } from './errors.ts';

interface LogSink {
  write(line: string): void;
  /** Writes at once what waits, as the process ends, as far as that is possible. */
  end(): void;
}

/** Of lines that wait; further ones are dropped, and counted. */
const WAITING_BYTES_MAX = 10_000_000;
/** A pipe takes so many bytes whole, whatever else is written meanwhile (POSIX). */
const PIECE_BYTES_MAX = 4096;
/** A pipe is full for as long as its reader takes. */
const FULL_PIPE_MS = 10;
/** After any other error, as of a full disk. */
const RETRY_MS = 1000;
/** The same as the process ends: all that waits fills a pipe of 64 kB 150 times. */
const LAST_PIPE_MS = 1;
/** Time that a piece under way gets as the process ends. */
const UNDER_WAY_MS = 200;
/** A reader that is slow, or stands still, may keep it waiting so long. */
const READER_MS_MAX = 2000;

/** @param droppedLine returns the line that says how many were dropped */
function createLogSink(droppedLine: (count: number) => string): LogSink {
  const { fd, isOwnPipe } = openOutput();
  const waiting: Buffer[] = [];
  let bytes = 0;
  let isWriting = false;
  let dropped = 0;
  let retry: NodeJS.Timeout | null = null;

  /** Returns the next lines, in one piece. */
  function take(bytesMax: number): Buffer {
    let [count, length] = [0, 0];
    for (const line of waiting) {
      if (count > 0 && length + line.length > bytesMax) break;
      count += 1;
      length += line.length;
    }
    bytes -= length;
    return Buffer.concat(waiting.splice(0, count));
  }

  function putBack(rest: Buffer): void {
    if (rest.length === 0) return;
    waiting.unshift(rest);
    bytes += rest.length;
  }

  /** Returns whether the next piece may follow at once. */
  function settle(piece: Buffer, error: unknown, written: number): boolean {
    putBack(error ? piece : piece.subarray(written));
    if (!error) return true;
    const isFull = errorCode(error) === 'EAGAIN';
    retry ??= setTimeout(
      () => {
        retry = null;
        writeNext();
      },
      isFull ? FULL_PIPE_MS : RETRY_MS,
    );
    // A process that has nothing else to do waits for a reader, not for a disk.
    if (!isFull) retry.unref();
    return false;
  }

  function writeNext(): void {
    while (!isWriting && retry === null && waiting.length > 0) {
      const piece = take(PIECE_BYTES_MAX);
      if (isOwnPipe) {
        settle(piece, ...writeAtOnce(fd, piece));
        continue;
      }
      isWriting = true;
      write(fd, piece, (error, written) => {
        isWriting = false;
        if (settle(piece, error, written)) writeNext();
      });
    }
  }

  function add(text: Buffer): void {
    waiting.push(text);
    bytes += text.length;
  }

  function countDropped(): void {
    if (dropped > 0) add(Buffer.from(droppedLine(dropped)));
    dropped = 0;
  }

  return {
    write(line) {
      const text = Buffer.from(line);
      if (bytes + text.length > WAITING_BYTES_MAX) {
        dropped += 1;
        return;
      }
      countDropped();
      add(text);
      writeNext();
    },
    end() {
      // Nothing says whether another thread has written its piece; most often it has not begun.
      if (isWriting) pause(UNDER_WAY_MS);
      countDropped();
      writeOut(fd, take(Number.POSITIVE_INFINITY));
    },
  };
}

function writeOut(fd: number, lines: Buffer): void {
  const untilMs = performance.now() + READER_MS_MAX;
  let rest = lines;
  while (rest.length > 0) {
    const [error, written] = writeAtOnce(fd, rest.subarray(0, PIECE_BYTES_MAX));
    rest = rest.subarray(written);
    if (!error) continue;
    if (errorCode(error) !== 'EAGAIN' || performance.now() > untilMs) return;
    pause(LAST_PIPE_MS);
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/**
 * A pipe is opened once more: other processes that have the same end may let its writes wait for a reader, and a write that
 * never waits needs no other thread.
 */
function openOutput(): { readonly fd: number; readonly isOwnPipe: boolean } {
  const inherited = { fd: 2, isOwnPipe: false };
  try {
    if (!fstatSync(2).isFIFO()) return inherited;
    const fd = openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NONBLOCK);
    return { fd, isOwnPipe: true };
  } catch {
    // Its reader has gone, it belongs to another user, or this system has no such path.
    return inherited;
  }
}

function writeAtOnce(fd: number, piece: Buffer): [error: unknown, written: number] {
  try {
    return [null, writeSync(fd, piece)];
  } catch (error) {
    return [error, 0];
  }
}

let own: LogSink | null = null;

/** Returns the sink of this process. What waits as the process ends is written then. */
export function standardError(droppedLine: (count: number) => string): LogSink {
  if (own !== null) return own;
  const sink = createLogSink(droppedLine);
  process.once('exit', sink.end);
  own = sink;
  return sink;
}
