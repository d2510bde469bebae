// Checks a whole NDJSON input before any of it is appended: first each line alone, then its place in its stream.
// An input is appended whole or not at all, with the line and reason of each error (rules/events.md#append). The ends of
// streams, which new events follow, are read from the log past what the read model has applied.
import { createTurn } from '../process/waiting.ts';
import { type Decoded, decode, decodeThoroughly, readableParts, type Salvaged } from './decode.ts';
import { type EventLog, type NewRecord, RECORD_BYTES_MAX } from './event-log.ts';
import { partitionOf } from './partition-of.ts';
import type { InputLine } from './split-lines.ts';
import { subjectOf } from './subject-of.ts';
import { visibleBounds } from './visible-bounds.ts';

/** One decoded line. A bad line keeps its readable parts, so that the lines after it are not reported as gaps. */
export interface ParsedLine extends Readonly<Pick<Salvaged, 'subject' | 'sequence' | 'id'>> {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  /** Null on a bad line. `source` and `id` together identify one event (CloudEvents). */
  readonly source: string | null;
  /** Why the line alone is invalid; none for a valid one. */
  readonly reasons: readonly string[];
}

/** The end of a stream, from the read model and the part of the log that is not applied yet. */
export interface Tail {
  /** The last sequence before the first missing one; 0 for a new stream. */
  readonly sequence: number;
  /** Id of that event; null where it is unknown. */
  readonly id: string | null;
  /** Sequences after a gap that are already in the log. */
  readonly waiting: ReadonlySet<number>;
}

export interface LineProblem {
  readonly line: number;
  readonly reason: string;
}

export type CheckedLines =
  | { readonly ok: true; readonly records: readonly NewRecord[] }
  | { readonly ok: false; readonly problems: readonly LineProblem[] };

/**
 * First pass: parses each line alone. An empty line is invalid; a line feed at the end of the input is allowed. The lines
 * of an import are in memory already, so other code runs in turns with it.
 */
export async function parseLines(
  lines: AsyncIterable<InputLine> | Iterable<InputLine>,
): Promise<ParsedLine[]> {
  const parsed: ParsedLine[] = [];
  const turn = createTurn();
  for await (const line of lines) {
    parsed.push(parseLine(line));
    if (turn.isOver()) await turn.next();
  }
  return parsed;
}

/** Returns the streams whose tails the second pass needs. */
export function subjectsIn(parsed: readonly ParsedLine[]): Set<string> {
  return new Set(parsed.map(line => line.subject).filter(subject => subject !== null));
}

/** Second pass: checks that sequences continue without a gap, and that no event is already in the input or the log. */
export function checkLines(
  parsed: readonly ParsedLine[],
  tails: ReadonlyMap<string, Tail>,
): CheckedLines {
  const problems: LineProblem[] = [];
  const records: NewRecord[] = [];
  const streams = new Map<string, Stream>();
  const ids = new Map<string, number>();
  /** Lines whose place nobody can read: each may be the missing event of a later line. */
  let unread = 0;
  for (const line of parsed) {
    const { subject, sequence } = line;
    if ((subject === null || sequence === null) && !line.reasons.includes(EMPTY)) unread += 1;
    let placeReason: string | null = null;
    if (subject !== null && sequence !== null) {
      const stream = streamOf(streams, subject, tails);
      const missing = sequence - stream.next;
      placeReason = placeProblem(stream, line, sequence);
      if (missing > 0 && missing <= unread) {
        unread -= missing;
        placeReason = null;
      }
    }
    const otherReason = placeReason ?? idProblem(ids, line);
    const reasons = [...line.reasons, ...(otherReason === null ? [] : [otherReason])];
    for (const reason of reasons) problems.push({ line: line.line, reason });
    if (reasons.length === 0 && subject !== null) records.push({ key: subject, value: line.text });
  }
  return problems.length === 0 ? { ok: true, records } : { ok: false, problems };
}

function parseLine({ line, bytes }: InputLine): ParsedLine {
  const blank = { line, text: '', subject: null, sequence: null, id: null, source: null };
  if (bytes === null) {
    return { ...blank, reasons: [`Expected at most ${RECORD_BYTES_MAX} bytes, got more`] };
  }
  const text = bytes.toString('utf8');
  if (text.trim() === '') return { ...blank, reasons: [EMPTY] };
  const decoded = decode(bytes);
  if (decoded.kind === 'invalid') {
    const { subject, sequence, id } = decoded;
    const thorough = decodeThoroughly(bytes);
    const reasons = (thorough.kind === 'invalid' ? thorough : decoded).reason.split('\n');
    return { line, text: '', subject, sequence, id, source: null, reasons };
  }
  const { subject, sequence, id, source } =
    decoded.kind === 'event' ? decoded.event : decoded.envelope;
  // JSON allows a name twice, and parsers differ in which value they use.
  const reasons = subjectOf(bytes) === subject ? [] : ['Expected one subject, got several'];
  return { line, text, subject, sequence, id, source, reasons };
}

const EMPTY = 'Expected an event, got an empty line';

/** A stream after the lines so far. */
interface Stream {
  readonly subject: string;
  readonly tail: Tail;
  /** The sequence expected next. */
  next: number;
  /** The line of each sequence in the input. */
  readonly lines: Map<number, number>;
}

const NEW_STREAM: Tail = { sequence: 0, id: null, waiting: new Set() };

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

/** Returns the first sequence after another one that no event of the stream has. */
export function nextAfter(tail: Tail, sequence: number): number {
  let next = sequence + 1;
  while (tail.waiting.has(next)) next += 1;
  return next;
}

/** Returns why the line does not fit its place, or null. A gap moves `next` past it, so each gap is reported once. */
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

interface GrowingTail {
  sequence: number;
  id: string | null;
  /** The id of each sequence after a gap; null for an entry of the stream's queue in the read model. */
  readonly waiting: Map<number, string | null>;
}

/**
 * Returns the tails of the given streams at the end of their partitions, with what transactions hid. Memory grows with
 * the number of streams and of events after gaps, not with the log.
 *
 * @param known the tail of each wanted stream in the read model: sequence 0 for a new stream, `waiting` from the queue
 *   of a held one. Read the checkpoints before these heads: in the other order events applied in between are missed
 * @param from the offset to start reading each partition at: its checkpoint's `next`; undefined reads from the start
 */
export async function tailOf(
  eventLog: EventLog,
  known: ReadonlyMap<string, Tail>,
  from: readonly (number | undefined)[],
): Promise<Map<string, Tail>> {
  const tails = new Map([...known].map(([subject, tail]) => [subject, growingTail(tail)]));
  const partitions = known.size === 0 ? 0 : await eventLog.partitions();
  for (const partition of new Set([...known.keys()].map(id => partitionOf(id, partitions)))) {
    const { start, end: to } = await visibleBounds(eventLog, partition);
    const range = { partition, from: Math.max(start, from[partition] ?? start), to };
    for await (const records of eventLog.scan(range)) {
      for (const { key, value } of records) {
        const tail = key === null ? undefined : tails.get(key);
        if (key === null || !tail || partitionOf(key, partitions) !== partition) continue;
        advance(tail, decode(value, key));
      }
    }
  }
  return new Map([...tails].map(([subject, tail]) => [subject, finalTail(tail)]));
}

function growingTail({ sequence, id, waiting }: Tail): GrowingTail {
  return { sequence, id, waiting: new Map([...waiting].map(number => [number, null])) };
}

function finalTail({ sequence, id, waiting }: GrowingTail): Tail {
  return { sequence, id, waiting: new Set(waiting.keys()) };
}

/**
 * An invalid record with a readable sequence counts too: its stream waits at it for an operator. A record without a
 * stream (decode.ts), or in another partition than its key's, takes no sequence.
 */
function advance(tail: GrowingTail, decoded: Decoded): void {
  const { subject, sequence, id } = readableParts(decoded);
  if (subject === null || sequence === null || sequence <= tail.sequence) return;
  if (!tail.waiting.has(sequence)) tail.waiting.set(sequence, id);
  let next = tail.waiting.get(tail.sequence + 1);
  while (next !== undefined) {
    tail.sequence += 1;
    tail.id = next;
    tail.waiting.delete(tail.sequence);
    next = tail.waiting.get(tail.sequence + 1);
  }
}
