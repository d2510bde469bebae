// Writes the lines of the log to standard error, beside the work of the process: neither a reader that stands still nor a full
// disk stops it. pino's own destination tries for ever, without another turn, where it cannot write as the process ends.
import { write, writeSync } from 'node:fs';
import { errorCode } from './errors.ts';

interface LogSink {
  write(line: string): void;
  /** Writes at once what waits, as the process ends, as far as that is possible. */
  end(): void;
}

/** Of lines that wait; further ones are dropped. */
const WAITING_BYTES_MAX = 10_000_000;
/** A pipe takes so many bytes whole, whatever else is written meanwhile (POSIX). */
const PIECE_BYTES_MAX = 4096;
/** A pipe is full for as long as its reader takes. */
const FULL_PIPE_MS = 10;
/** The longest time that a full pipe may keep the end of a process waiting, in steps of `FULL_PIPE_MS`. */
const FULL_PIPE_TRIES = 50;

function createLogSink(fd: number): LogSink {
  const waiting: Buffer[] = [];
  let bytes = 0;
  let isWriting = false;

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

  function writeNext(): void {
    if (isWriting || waiting.length === 0) return;
    isWriting = true;
    const piece = take(PIECE_BYTES_MAX);
    write(fd, piece, (error, written) => {
      isWriting = false;
      putBack(error ? piece : piece.subarray(written));
      if (errorCode(error) === 'EAGAIN') setTimeout(writeNext, FULL_PIPE_MS);
      // After any other error the next line tries again.
      else if (!error) writeNext();
    });
  }

  return {
    write(line) {
      const text = Buffer.from(line);
      if (bytes + text.length > WAITING_BYTES_MAX) return;
      waiting.push(text);
      bytes += text.length;
      writeNext();
    },
    end() {
      let rest = take(WAITING_BYTES_MAX);
      for (let tries = 0; rest.length > 0 && tries < FULL_PIPE_TRIES; ) {
        try {
          rest = rest.subarray(writeSync(fd, rest, 0, Math.min(rest.length, PIECE_BYTES_MAX)));
        } catch (error) {
          if (errorCode(error) !== 'EAGAIN') return;
          tries += 1;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
        }
      }
    },
  };
}

let own: LogSink | null = null;

/** Returns the sink of this process. What waits as the process ends is written then. */
export function standardError(): LogSink {
  if (own !== null) return own;
  const sink = createLogSink(2);
  process.once('exit', sink.end);
  own = sink;
  return sink;
}
