// Loads what deliveries need, folds them, and says what to write. Chunks of the log and queues of held streams share
// it.
import type { Head } from '../../../projections/documents.ts';
import { isSpaceEvent } from '../../../projections/project.ts';
import { isCascade } from '../../../projections/reads.ts';
import { inTurns } from '../../in-turns.ts';
import type { FoldWrites } from '../../read-store/commit.ts';
import { type HeadChange, isSameHead, loadHeads } from '../../read-store/heads.ts';
import { loadDocuments, TooManyDocumentsError } from '../../read-store/load-documents.ts';
import { rowSearches } from '../../read-store/row-searches.ts';
import { documentWrites } from '../../read-store/write-documents.ts';
import type { ProjectorStore } from '../store.ts';
import { type Admitted, admitted } from './admitted.ts';
import { type ChunkCache, createChunkCache } from './cache.ts';
import { type Delivery, storedDelivery } from './delivery.ts';
import {
  BrokenDeliveryError,
  createFold,
  deliver,
  type Fold,
  type FoldContext,
  waitingId,
} from './fold.ts';

export interface ChunkLimits {
  /** Rows that one transaction may change; beyond it the chunk is cut smaller. */
  readonly documentsMax: number;
  /** Streams that deliveries are folded for at once; those from the next stream on are left. */
  readonly streamsMax?: number;
  /** Documents that are loaded at once, besides one for each event; deliveries that declare more are left. */
  readonly declaredMax?: number;
  /** Why the single delivery changes too much for a transaction; its stream is held instead of folding it. */
  readonly tooMuch?: string;
}

export interface FoldOptions {
  readonly limits: ChunkLimits;
  /** Holds what need not be loaded; cleared when folding fails. */
  readonly cache?: ChunkCache;
  /** Returns the head to begin from: a queue that is drained begins from one that is not held. */
  readonly open?: (head: Head) => Head;
}

/** Documents take up to some kilobytes each. Beyond it the other deliveries are left for the next chunk. */
const DECLARED_MAX = 10_000;
const STREAMS_MAX = 2000;

/** A fold, and the heads it began from. */
export interface Folded {
  readonly fold: Fold;
  readonly loaded: ReadonlyMap<string, Head>;
}

/** The fold of the first deliveries; the others would load too much. */
export interface FoldedFirst extends Folded {
  /** Number of the deliveries that were folded: at least one, where there are any. */
  readonly taken: number;
}

/**
 * Loads and folds the deliveries from the first on, as many as the limits allow. Those that break the projections are
 * parked, and the others are folded again. The caller reconciles the fold once nothing more is folded upon it.
 *
 * @throws TooManyDocumentsError when the deliveries change more rows than the limit
 */
export async function foldDeliveries(
  store: ProjectorStore,
  all: readonly Delivery[],
  { limits, cache = createChunkCache(), open = head => head }: FoldOptions,
): Promise<FoldedFirst> {
  const broken = new Map<string, string>();
  const { tooMuch = null, streamsMax = STREAMS_MAX } = limits;
  const first = ofFirstStreams(all, streamsMax);
  // A search in the store would not find rows that are cached and not stored yet.
  if (first.some(({ event }) => isSearching(event))) await cache.committed();
  for (;;) {
    const loaded = await headsOf(store, subjectsOf(first), cache);
    // After the heads: a later decision changes the head of its stream, and the commit notices that.
    const isSkipped = await store.decisions.load();
    const fold = createFold(cache.documents);
    for (const [subject, head] of loaded) fold.heads.set(subject, open(head));
    const stored = await storedWaiting(store, fold, first);
    const events = admitted(fold.heads, first, isSkipped);
    let deliveries = first;
    let errors: readonly BrokenDeliveryError[];
    try {
      if (tooMuch === null)
        deliveries = first.slice(0, await load(store, events, { cache, limits }));
      errors = await deliverAll(fold, deliveries, { isSkipped, stored, broken, tooMuch });
    } catch (error) {
      await cache.discard();
      throw error instanceof TooManyDocumentsError ? cutBefore(error, first) : error;
    }
    if (errors.length === 0) return { fold, loaded, taken: deliveries.length };
    await cache.discard();
    for (const { delivery, cause } of await currentErrors(store, loaded, errors)) {
      broken.set(waitingId(delivery), String(cause));
    }
  }
}

/**
 * Returns the errors of deliveries that broke the projections; the fold is unusable when there are any. What broke one
 * stream leaves the others alone, so a release that breaks many of them shows them all in one pass.
 */
async function deliverAll(
  fold: Fold,
  deliveries: readonly Delivery[],
  context: FoldContext,
): Promise<BrokenDeliveryError[]> {
  const errors = new Map<Delivery['subject'], BrokenDeliveryError>();
  await inTurns(deliveries, delivery => {
    if (errors.has(delivery.subject)) return;
    try {
      deliver(fold, delivery, context);
    } catch (error) {
      if (!(error instanceof BrokenDeliveryError)) throw error;
      errors.set(delivery.subject, error);
    }
  });
  return [...errors.values()];
}

/**
 * Returns the errors of deliveries that met the documents of their stream as they are stored. A change of them changes
 * the head too, but what breaks on changed documents is folded again, with the new head, so the commit would not notice.
 */
async function currentErrors(
  { collections }: ProjectorStore,
  loaded: ReadonlyMap<string, Head>,
  errors: readonly BrokenDeliveryError[],
): Promise<BrokenDeliveryError[]> {
  const now = await loadHeads(collections.heads, subjectsOf(errors.map(one => one.delivery)));
  return errors.filter(({ delivery: { subject } }) => {
    const id = subject ?? '';
    return isSameHead(loaded.get(id) ?? null, now.get(id) ?? null);
  });
}

function cutBefore({ message }: Error, deliveries: readonly Delivery[]): TooManyDocumentsError {
  const before = deliveries.findIndex(({ event }) => isSearching(event));
  return new TooManyDocumentsError(message, Math.max(0, before));
}

function isSearching(event: Delivery['event']): boolean {
  return event !== null && !isSpaceEvent(event) && isCascade(event);
}

async function headsOf(
  { collections }: ProjectorStore,
  subjects: readonly string[],
  cache: ChunkCache,
): Promise<Map<string, Head>> {
  const missing = subjects.filter(subject => !cache.heads.has(subject));
  if (missing.length > 0) cache.addLoaded(await loadHeads(collections.heads, missing));
  const heads = new Map<string, Head>();
  for (const subject of subjects) {
    const head = cache.heads.get(subject);
    if (head) heads.set(subject, head);
  }
  return heads;
}

/** Returns the number of deliveries whose documents are loaded. */
async function load(
  { collections }: ProjectorStore,
  events: readonly Admitted[],
  { cache, limits }: Required<Pick<FoldOptions, 'cache' | 'limits'>>,
): Promise<number> {
  const { documentsMax, declaredMax = DECLARED_MAX } = limits;
  const loading = { collections, documents: cache.documents };
  const run = () => loadDocuments(loading, events, { documentsMax, declaredMax });
  const isAnyCascade = events.some(({ event }) => isCascade(event));
  const loaded = await (isAnyCascade ? rowSearches(collections).run(run) : run());
  return events[loaded]?.index ?? Number.POSITIVE_INFINITY;
}

/** Returns the heads that a fold changed. */
export function headChanges({ fold, loaded }: Folded): HeadChange[] {
  return [...fold.heads.values()]
    .map(now => ({ loaded: loaded.get(now.id) ?? null, now }))
    .filter(change => change.loaded !== change.now);
}

/** Returns what a reconciled fold writes, without a checkpoint. */
export function writesOf(folded: Folded): FoldWrites {
  const { fold } = folded;
  return {
    checkpoint: null,
    heads: headChanges(folded),
    documents: documentWrites(fold.documents),
    waiting: [...fold.waiting].map(([id, delivery]) => storedDelivery(id, delivery)),
    done: [],
    erased: [...fold.erased],
    swept: [...fold.swept],
    quarantined: fold.quarantined.map(({ delivery, reason }) => ({
      ...storedDelivery(`${delivery.partition}/${delivery.offset}`, delivery),
      // No payload: it would outlive the deletion of its budget, and the log has it.
      value: '',
      reason,
    })),
  };
}

/** Returns the deliveries up to the first one that belongs to one stream too many. */
function ofFirstStreams(deliveries: readonly Delivery[], streamsMax: number): readonly Delivery[] {
  const subjects = new Set<string>();
  const next = deliveries.findIndex(
    ({ subject }) => subject !== null && subjects.add(subject).size > streamsMax,
  );
  return next < 0 ? deliveries : deliveries.slice(0, next);
}

function subjectsOf(deliveries: readonly Delivery[]): string[] {
  const subjects = new Set<string>();
  for (const { subject } of deliveries) if (subject !== null) subjects.add(subject);
  return [...subjects];
}

/** Returns the ids that are queued already: only held streams have a queue. */
async function storedWaiting(
  { collections }: ProjectorStore,
  fold: Fold,
  deliveries: readonly Delivery[],
): Promise<Set<string>> {
  const ids = deliveries
    .filter(({ subject }) => fold.heads.get(subject ?? '')?.held)
    .map(waitingId);
  if (ids.length === 0) return new Set();
  const found = collections.waiting.find({ _id: { $in: ids } }, { projection: { _id: 1 } });
  return new Set(await found.map(({ _id }) => _id).toArray());
}
