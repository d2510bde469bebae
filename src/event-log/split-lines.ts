// Splits the bytes of a file or a pipe into lines at line feeds, and limits their length and number.
import { UserError } from '../process/errors.ts';
import { RECORD_BYTES_MAX } from './event-log.ts';

export interface InputLine {
  /** Counted from 1. */
  readonly line: number;
  /** Without line feed and carriage return; null for a line of more than RECORD_BYTES_MAX bytes. */
  readonly bytes: Buffer | null;
}

export interface InputLimits {
  readonly linesMax: number;
  readonly bytesMax: number;
}

/** An append is checked and committed as a whole, so all of it is in memory; a larger input is refused. */
export const INPUT_LIMITS: InputLimits = { linesMax: 1_000_000, bytesMax: 536_870_912 };

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const NO_BYTES = Buffer.alloc(0);

/**
 * Yields the lines; a line feed at the very end starts no further line.
 *
 * @throws UserError beyond the limits
 */
export async function* splitLines(
  input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limits: InputLimits = INPUT_LIMITS,
): AsyncGenerator<InputLine> {
  const counter = createCounter(limits);
  /** The start of a line whose end has not arrived yet. */
  let parts: Buffer[] = [];
  let partBytes = 0;
  for await (const piece of input) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    counter.read(chunk.length);
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, from);
      const part = chunk.subarray(from, end === -1 ? chunk.length : end);
      partBytes += part.length;
      // A line that is too long is refused: only its length matters.
      if (partBytes > RECORD_BYTES_MAX + 1) parts = [];
      else parts.push(part);
      if (end === -1) break;
      yield { line: counter.next(), bytes: wholeLine(parts, partBytes) };
      parts = [];
      partBytes = 0;
      from = end + 1;
    }
  }
  if (partBytes > 0) yield { line: counter.next(), bytes: wholeLine(parts, partBytes) };
}

function wholeLine(parts: readonly Buffer[], bytes: number): Buffer | null {
  if (bytes > RECORD_BYTES_MAX + 1) return null;
  const line = parts.length === 1 ? (parts[0] ?? NO_BYTES) : Buffer.concat(parts, bytes);
  const text = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
  return text.length > RECORD_BYTES_MAX ? null : text;
}

function createCounter(limits: InputLimits) {
  let bytes = 0;
  let lines = 0;
  return {
    read(length: number): void {
      bytes += length;
      if (bytes > limits.bytesMax) {
        throw new UserError(
          `Expected at most ${limits.bytesMax} bytes of input, got more; split it and append the parts in order`,
        );
      }
    },
    /** Returns the number of the line that has just ended. */
    next(): number {
      lines += 1;
      if (lines > limits.linesMax) {
        throw new UserError(
          `Expected at most ${limits.linesMax} lines of input, got more; split it and append the parts in order`,
        );
      }
      return lines;
    },
  };
}
