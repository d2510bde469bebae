// Checks whole NDJSON input before any of it is appended: each line by itself, then its place in its stream.
// events.md, "Getting events in": all of it or, with the line and reason of each error, nothing.
import { decode } from './decode.ts';
import { type NewRecord, RECORD_BYTES_MAX } from './event-log.ts';
import type { InputLine } from './split-lines.ts';
import { subjectOf } from './subject-of.ts';

/** One line of the input, decoded. What a bad line still tells keeps the lines after it from being blamed. */
export interface ParsedLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly subject: string | null;
  readonly sequence: number | null;
  readonly id: string | null;
  /** CloudEvents: `source` and `id` together name one event. Null on a bad line. */
  readonly source: string | null;
  /** Why the line is bad by itself; null for a good one. */
  readonly reason: string | null;
}

/** What is known of a stream, from the read model and the log beyond it. */
export interface Tail {
  /** The partition in which the stream lies; null for one of which nothing is applied yet. */
  readonly partition: number | null;
  /** The last sequence up to which none is missing; 0 for a new stream. */
  readonly sequence: number;
  /** Id of that event, null where it is not known. */
  readonly id: string | null;
  /** Sequences behind a gap that are in the log already. */
  readonly waiting: ReadonlySet<number>;
}

export interface LineProblem {
  readonly line: number;
  readonly reason: string;
}

export type CheckedLines =
  | { readonly ok: true; readonly records: readonly NewRecord[] }
  | { readonly ok: false; readonly problems: readonly LineProblem[] };

/** First pass: each line by itself. An empty line is bad, a line feed at the end of the input is not. */
export async function parseLines(
  lines: AsyncIterable<InputLine> | Iterable<InputLine>,
): Promise<ParsedLine[]> {
  const parsed: ParsedLine[] = [];
  for await (const line of lines) parsed.push(parseLine(line));
  return parsed;
}

/** The streams whose tails the second pass needs. */
export function subjectsIn(parsed: readonly ParsedLine[]): Set<string> {
  return new Set(parsed.map(line => line.subject).filter(subject => subject !== null));
}

/** Second pass: sequences go on without a gap, and nothing is in the input or in the log already. */
export function checkLines(
  parsed: readonly ParsedLine[],
  tails: ReadonlyMap<string, Tail>,
): CheckedLines {
  const problems: LineProblem[] = [];
  const records: NewRecord[] = [];
  const streams = new Map<string, Stream>();
  const ids = new Map<string, number>();
  for (const line of parsed) {
    const { subject, sequence } = line;
    const ofPlace =
      subject === null || sequence === null
        ? null
        : placeProblem(streamOf(streams, subject, tails), line, sequence);
    const reason = line.reason ?? ofPlace ?? idProblem(ids, line);
    if (reason !== null) problems.push({ line: line.line, reason });
    else if (subject !== null) records.push({ key: subject, value: line.text });
  }
  return problems.length === 0 ? { ok: true, records } : { ok: false, problems };
}

function parseLine({ line, bytes }: InputLine): ParsedLine {
  const nothing = { line, text: '', subject: null, sequence: null, id: null, source: null };
  if (bytes === null) {
    return { ...nothing, reason: `Expected at most ${RECORD_BYTES_MAX} bytes, got more` };
  }
  const text = bytes.toString('utf8');
  if (text.trim() === '') return { ...nothing, reason: 'Expected an event, got an empty line' };
  const decoded = decode(bytes);
  if (decoded.kind === 'invalid') {
    const { subject, sequence, id, reason } = decoded;
    return { line, text: '', subject, sequence, id, source: null, reason };
  }
  const { subject, sequence, id, source } =
    decoded.kind === 'event' ? decoded.event : decoded.envelope;
  // JSON lets a name stand twice and parsers differ in which they take.
  const reason = subjectOf(bytes) === subject ? null : 'Expected one subject, got several';
  return { line, text, subject, sequence, id, source, reason };
}

/** A stream as the lines before left it. */
interface Stream {
  readonly subject: string;
  readonly tail: Tail;
  /** The sequence that comes next. */
  next: number;
  /** The line of each sequence in the input. */
  readonly lines: Map<number, number>;
}

const NEW_STREAM: Tail = { partition: null, sequence: 0, id: null, waiting: new Set() };

function streamOf(
  streams: Map<string, Stream>,
  subject: string,
  tails: ReadonlyMap<string, Tail>,
): Stream {
  const known = streams.get(subject);
  if (known !== undefined) return known;
  const tail = tails.get(subject) ?? NEW_STREAM;
  const stream: Stream = { subject, tail, next: nextAfter(tail, tail.sequence), lines: new Map() };
  streams.set(subject, stream);
  return stream;
}

function nextAfter(tail: Tail, sequence: number): number {
  let next = sequence + 1;
  while (tail.waiting.has(next)) next += 1;
  return next;
}

/** Why the line cannot stand here, or null. After a gap the stream goes on behind it, so that one is named once. */
function placeProblem(stream: Stream, line: ParsedLine, sequence: number): string | null {
  const { subject, tail, next, lines } = stream;
  if (sequence <= tail.sequence || tail.waiting.has(sequence)) {
    return takenProblem(stream, line, sequence);
  }
  const earlier = lines.get(sequence);
  if (earlier !== undefined)
    return `Sequence ${sequence} of ${subject} is on line ${earlier} already`;
  lines.set(sequence, line.line);
  if (sequence < next)
    return `Sequence ${sequence} of ${subject} comes too late, after ${next - 1}`;
  stream.next = nextAfter(tail, sequence);
  return sequence === next ? null : `Expected sequence ${next} of ${subject}, got ${sequence}`;
}

function takenProblem({ subject, tail }: Stream, { id }: ParsedLine, sequence: number): string {
  if (sequence === tail.sequence && tail.id !== null && tail.id !== id) {
    return `Sequence ${sequence} of ${subject} is in the log already, with another event (${tail.id})`;
  }
  return `Already in the log: sequence ${sequence} of ${subject} (the last there is ${tail.sequence})`;
}

function idProblem(ids: Map<string, number>, { line, id, source }: ParsedLine): string | null {
  if (id === null || source === null) return null;
  const name = `${id} ${source}`;
  const earlier = ids.get(name);
  if (earlier !== undefined) return `The event ${id} is on line ${earlier} already`;
  ids.set(name, line);
  return null;
}
