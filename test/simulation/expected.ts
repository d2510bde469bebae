// What the store must hold once a log is applied: each stream's events once and in order, whatever happened on the way.
// Each stream is folded in one go over documents in memory, without chunks, caches, drains or a store.
import { isDeepStrictEqual } from 'node:util';
import { DOCUMENT_KINDS } from '../../projections/document-kinds.ts';
import type { LogRecord } from '../../src/event-log/event-log.ts';
import { documentOf } from '../../src/store/document-storage.ts';
import type { StoredHead } from '../../src/store/heads.ts';
import type { LogEvent } from '../model/stream.ts';
import { applyToMemory, createMemoryStore } from '../projections/memory-store.ts';
import type { SimStore } from './sim-store.ts';

/** What is stored, by name: documents, heads, queue entries, quarantined records, the checkpoint. */
type Contents = Map<string, unknown>;

/** Returns what a log leaves in the store. */
function expectedOf(records: readonly LogRecord[]): Contents {
  const contents: Contents = new Map([['checkpoint', records.length]]);
  const streams = new Map<string, LogEvent[]>();
  const begins = new Map<string, number>();
  for (const { key, value, offset } of records) {
    const event = JSON.parse(String(value)) as LogEvent;
    if (event.subject === undefined || event.subject !== key) {
      contents.set(`quarantine 0/${offset}`, true);
      continue;
    }
    streams.set(key, [...(streams.get(key) ?? []), event]);
    if (event.sequence === 1 && !begins.has(key)) begins.set(key, offset);
  }
  for (const [key, stream] of streams) {
    const memory = createMemoryStore();
    applyToMemory(memory, inTurn(stream), begins.get(key) ?? 0);
    for (const head of memory.heads.values()) contents.set(`head ${head.id}`, headFacts(head));
    for (const id of memory.waiting.keys()) contents.set(`waiting ${id}`, true);
    for (const [key, document] of memory.documents) contents.set(key, document);
  }
  return contents;
}

/** Returns the records of a stream in the order in which each is applied as soon as it can be. */
function inTurn(records: readonly LogEvent[]): LogEvent[] {
  const turns: LogEvent[] = [];
  const early = new Map<number, LogEvent>();
  for (const [index, record] of records.entries()) {
    const { sequence } = record;
    // One without a sequence holds the stream where it is.
    if (sequence === undefined)
      return [...turns, record, ...early.values(), ...records.slice(index + 1)];
    if (sequence <= turns.length || early.has(sequence)) continue;
    early.set(sequence, record);
    for (let next = early.get(turns.length + 1); next; next = early.get(turns.length + 1)) {
      turns.push(next);
      early.delete(next.sequence);
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
    if (isDeepStrictEqual(wanted, found)) return [];
    return [`${key}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(found)}`];
  });
}
