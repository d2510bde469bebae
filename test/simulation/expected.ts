// What the store must hold once a log is applied: each stream's events once and in order, whatever happened on the way.
// Each stream is folded in one go over documents in memory, without chunks, caches, drains or a store.
import { DOCUMENT_KINDS } from '../../projections/document-kinds.ts';
import type { LogRecord } from '../../src/event-log/event-log.ts';
import { deliveryOf } from '../../src/projector/fold/delivery.ts';
import { createFold, deliver, reconcileFold } from '../../src/projector/fold/fold.ts';
import { documentOf } from '../../src/store/document-storage.ts';
import type { StoredHead } from '../../src/store/heads.ts';
import type { LogEvent } from '../model/stream.ts';
import type { Doc } from './documents.ts';
import type { SimStore } from './sim-store.ts';

/** What is stored, by name: documents, heads, queue entries, quarantined records, the checkpoint. */
type Contents = Map<string, unknown>;

/** A record of a stream. */
interface Arrived {
  readonly sequence: number | undefined;
  readonly record: LogRecord;
}

/** Returns what a log leaves in the store. */
function expectedOf(records: readonly LogRecord[]): Contents {
  const contents: Contents = new Map([['checkpoint', records.length]]);
  const streams = new Map<string, Arrived[]>();
  const begins = new Map<string, number>();
  for (const record of records) {
    const { key, value, offset } = record;
    const { subject, sequence } = JSON.parse(String(value)) as LogEvent;
    if (subject === undefined || subject !== key) {
      contents.set(`quarantine 0/${offset}`, true);
      continue;
    }
    const stream = streams.get(key);
    if (stream) stream.push({ sequence, record });
    else streams.set(key, [{ sequence, record }]);
    if (sequence === 1 && !begins.has(key)) begins.set(key, offset);
  }
  for (const [key, stream] of streams) addStream(contents, inTurn(stream), begins.get(key) ?? 0);
  return contents;
}

const UNTOUCHED = { isSkipped: () => false, stored: new Set<string>(), broken: new Map() };

/** Folds a stream, which nothing is stored of, so nothing is loaded. */
function addStream(contents: Contents, stream: readonly Arrived[], firstOffset: number): void {
  const fold = createFold();
  for (const [index, { record }] of stream.entries()) {
    deliver(fold, deliveryOf({ ...record, offset: firstOffset + index }), UNTOUCHED);
  }
  reconcileFold(fold);
  for (const head of fold.heads.values()) contents.set(`head ${head.id}`, headFacts(head));
  for (const id of fold.queued.keys()) contents.set(`waiting ${id}`, true);
  for (const kind of DOCUMENT_KINDS) {
    for (const { key, now } of fold.documents.changes(kind)) {
      if (now && !fold.swept.has(now.set)) contents.set(`${kind} ${key}`, now);
    }
  }
}

/** Returns the records of a stream in the order in which each is applied as soon as it can be. */
function inTurn(records: readonly Arrived[]): Arrived[] {
  const turns: Arrived[] = [];
  const early = new Map<number, Arrived>();
  for (const [index, record] of records.entries()) {
    const { sequence } = record;
    // One without a sequence holds the stream where it is.
    if (sequence === undefined)
      return [...turns, record, ...early.values(), ...records.slice(index + 1)];
    if (sequence <= turns.length || early.has(sequence)) continue;
    early.set(sequence, record);
    for (let next = early.get(turns.length + 1); next; next = early.get(turns.length + 1)) {
      turns.push(next);
      early.delete(turns.length);
    }
  }
  return [...turns, ...early.values()];
}

/** Returns what the store holds, in the same form. */
function storedIn(store: SimStore): Contents {
  const contents: Contents = new Map([['checkpoint', store.documents('checkpoints').get(0)?.next]]);
  const swept = store.documents('sweeps');
  for (const [id, head] of store.documents('heads')) {
    contents.set(`head ${id}`, headFacts(head as unknown as StoredHead));
  }
  for (const id of store.documents('waiting').keys()) contents.set(`waiting ${id}`, true);
  for (const id of store.documents('quarantine').keys()) contents.set(`quarantine ${id}`, true);
  for (const kind of DOCUMENT_KINDS) {
    for (const [id, stored] of store.documents(kind)) {
      if (!swept.has(stored.set)) contents.set(`${kind} ${id}`, documentOf(kind, stored));
    }
  }
  return contents;
}

function headFacts({ sequence, eventId, set, deleted, held }: Omit<StoredHead, '_id'>) {
  const why = held && { why: held.why, reason: held.reason, queued: held.queued };
  return { sequence, eventId, set, deleted, held: why };
}

/** Returns a line for each thing that is not stored as the log says. */
export function differencesOf(records: readonly LogRecord[], store: SimStore): string[] {
  const [expected, stored] = [expectedOf(records), storedIn(store)];
  return [...new Set([...expected.keys(), ...stored.keys()])].flatMap(key => {
    const [wanted, found] = [expected.get(key), stored.get(key)];
    if (isSame(wanted, found)) return [];
    return [`${key}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(found)}`];
  });
}

/** Compares plain data: what is folded in memory has objects without a prototype, what is read back has not. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(key => Object.hasOwn(other, key) && isSame((one as Doc)[key], (other as Doc)[key]))
  );
}
