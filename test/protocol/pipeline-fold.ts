// How a projector folds a chunk over its cache, and what it then writes.
import type { Head } from '../../projections/documents.ts';
import { admit } from '../../src/projector/fold/gate.ts';
import { copy } from './explore.ts';
import {
  type Changes,
  type Chunk,
  documentsIn,
  type HeadWrite,
  isSame,
  type LogEntry,
  type ModelHead,
  type PipelineState,
  type Projector,
  type Scene,
} from './pipeline-state.ts';

const NEW_HEAD: ModelHead = { sequence: 0, set: 'A', held: null };

export function chunkOf(own: Projector): Chunk {
  if (!own.chunk) throw new Error('No chunk is folded');
  return own.chunk;
}

export function entriesOf({ entries }: Scene, { from, to }: Chunk): readonly LogEntry[] {
  return entries.slice(from, to);
}

/** Loads the heads that the cache lacks. */
export function loadHeads(scene: Scene, state: PipelineState, own: Projector): void {
  for (const { stream } of entriesOf(scene, chunkOf(own))) {
    const head = state.heads[stream];
    if (head) own.cache.heads[stream] ??= copy(head);
  }
}

/** Loads the rows that the events name or search for. */
export function loadRows(scene: Scene, state: PipelineState, own: Projector): void {
  chunkOf(own).stored = [...state.queue];
  for (const { stream, sequence, searches } of entriesOf(scene, chunkOf(own))) {
    const present = presentIn(own, stream);
    const { rows } = documentsIn(state, stream);
    for (const row of searches ? rows : rows.filter(one => one === sequence)) {
      if (!present.includes(row)) present.push(row);
    }
  }
}

function presentIn({ cache }: Projector, stream: string): number[] {
  const present = cache.present[stream] ?? [];
  cache.present[stream] = present;
  return present;
}

/** Loads the sums that the cache lacks, and folds. */
export function fold(scene: Scene, state: PipelineState, own: Projector): void {
  const { cache } = own;
  const chunk = chunkOf(own);
  for (const { stream } of entriesOf(scene, chunk)) {
    cache.sums[stream] ??= [...documentsIn(state, stream).sums];
    const head = cache.heads[stream] ?? null;
    chunk.heads[stream] ??= { loaded: copy(head), now: copy(head) };
  }
  for (let index = chunk.from; index < chunk.to; index += 1) deliver(scene, own, index);
  for (const [stream, { loaded, now }] of Object.entries(chunk.heads)) {
    // Also where the event is in the queue already, by a late commit.
    if (now?.held?.why === 'gap') chunk.gaps.push(stream);
    if (isSame(loaded, now)) delete chunk.heads[stream];
  }
}

function deliver({ entries }: Scene, own: Projector, index: number): void {
  const chunk = chunkOf(own);
  const entry = entries[index];
  const change = entry && chunk.heads[entry.stream];
  if (!entry || !change) throw new Error(`No head is loaded for record ${index}`);
  const { stream, sequence } = entry;
  const head = change.now ?? copy(NEW_HEAD);
  const eventId = String(sequence);
  const delivery = { subject: stream, sequence, eventId, problem: null, event: {} };
  const { kind } = admit(
    asHead(stream, head),
    delivery as Parameters<typeof admit>[1],
    () => false,
  );
  if (kind === 'drop') return;
  if (kind === 'apply') {
    change.now = applied(own, entry, head);
    if (change.now.held) chunk.waiting.push(index);
    return;
  }
  const isQueued = (other: number) => isSame(entries[other], entry);
  if (chunk.stored.some(isQueued) || chunk.waiting.some(isQueued)) return;
  chunk.waiting.push(index);
  const held = head.held ?? { why: 'gap', queued: 0 };
  change.now = { ...head, held: { ...held, queued: held.queued + 1 } };
}

function asHead(id: string, { sequence, held }: ModelHead): Head {
  const eventId = sequence === 0 ? null : String(sequence);
  const full = held && { ...held, since: '', reason: '' };
  const nothing = { budget: null, space: null, deleted: false };
  return { id, partition: 0, sequence, eventId, set: null, held: full, ...nothing };
}

function applied({ cache, chunk }: Projector, entry: LogEntry, head: ModelHead): ModelHead {
  const { stream, sequence, searches } = entry;
  const present = cache.present[stream] ?? [];
  // A row that is there already makes the event invalid.
  if (present.includes(sequence)) return { ...head, held: { why: 'parked', queued: 1 } };
  if (searches && present.length !== head.sequence && chunk) {
    chunk.wrong = `A search of ${stream}${sequence} found ${present.length} rows`;
  }
  present.push(sequence);
  cache.dirtyRows[stream] = [...(cache.dirtyRows[stream] ?? []), sequence];
  cache.sums[stream] = [...(cache.sums[stream] ?? []), sequence];
  if (!cache.dirtySums.includes(stream)) cache.dirtySums.push(stream);
  return { ...head, sequence };
}

/** Takes what a part writes: its rows. */
export function takeRows({ cache }: Projector, chunk: Chunk): Changes {
  const rows = cache.dirtyRows;
  cache.dirtyRows = {};
  for (const [stream, { loaded, now }] of Object.entries(chunk.heads)) {
    if (!now) continue;
    cache.heads[stream] = now;
    if (!(stream in cache.unwritten)) cache.unwritten[stream] = loaded;
  }
  return { rows, sums: {}, heads: [], waiting: [], wrong: chunk.wrong };
}

/** Takes what a transaction's last write holds: everything that is left, with a chunk or without one. */
export function takeAll({ cache }: Projector, chunk: Chunk | null): Changes {
  const heads = new Map<string, HeadWrite>();
  for (const [stream, loaded] of Object.entries(cache.unwritten)) {
    heads.set(stream, { stream, loaded, now: cache.heads[stream] ?? NEW_HEAD });
  }
  for (const [stream, { loaded, now }] of Object.entries(chunk?.heads ?? {})) {
    const before = heads.get(stream);
    if (now) heads.set(stream, { stream, loaded: before ? before.loaded : loaded, now });
  }
  const sums = Object.fromEntries(
    cache.dirtySums.map(stream => [stream, [...(cache.sums[stream] ?? [])]]),
  );
  const rows = cache.dirtyRows;
  Object.assign(cache, { dirtyRows: {}, dirtySums: [], unwritten: {} });
  for (const { stream, now } of heads.values()) cache.heads[stream] = now;
  for (const [stream, head] of Object.entries(cache.heads)) {
    if (!head.held) continue;
    // Others write to held streams.
    delete cache.heads[stream];
    delete cache.present[stream];
    delete cache.sums[stream];
  }
  const { waiting = [], wrong = null } = chunk ?? {};
  return { rows, sums, heads: [...heads.values()], waiting, wrong };
}
