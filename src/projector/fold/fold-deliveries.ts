// Loads what deliveries need, and folds them. Chunks of the log and queues of held streams share it.
import { isCascade } from '../../../projections/cascades.ts';
import type { Head } from '../../../projections/documents.ts';
import { isSpaceEvent } from '../../../projections/project.ts';
import { inTurns } from '../../process/waiting.ts';
import { isSameHead, loadHeads } from '../../store/heads.ts';
import { loadDocuments, TooManyRowsError } from '../../store/writing/load-documents.ts';
import { rowSearches } from '../../store/writing/row-searches.ts';
import type { ProjectorStore } from '../store.ts';
import { type ChunkCache, createChunkCache } from './cache.ts';
import { type Delivery, mayComeOutOfTurn } from './delivery.ts';
import {
  BrokenDeliveryError,
  createFold,
  deliver,
  type Fold,
  type FoldContext,
  queueEntryId,
} from './fold.ts';
import type { Folded } from './fold-writes.ts';
import { type Admitted, admitted } from './gate.ts';

export interface ChunkLimits {
  /** Rows that one transaction may change; beyond it the chunk is cut smaller. */
  readonly rowsMax: number;
  /** Streams that deliveries are folded for at once; those from the next stream on are left. */
  readonly streamsMax?: number;
  /** Documents that are loaded at once, besides one for each event; deliveries that declare more are left. */
  readonly declaredMax?: number;
  /** Queue entries that one step of a drain takes. */
  readonly stepMax?: number;
  /** Why the single delivery changes too much for a transaction; its stream is held instead of folding it. */
  readonly tooMuch?: string;
}

export interface FoldOptions {
  readonly limits: ChunkLimits;
  /** Returns the head to begin from: a queue that is drained begins from one that is not held. */
  readonly open?: (head: Head) => Head;
}

export interface FoldOnceOptions extends FoldOptions {
  /** Holds what need not be loaded. When the fold fails or is broken, it may hold half a change. */
  readonly cache: ChunkCache;
  /** Why deliveries broke the projections in an earlier attempt, by `queueEntryId`: they are parked. */
  readonly broken: ReadonlyMap<string, string>;
}

/** Documents take up to some kilobytes each. Beyond it the other deliveries are left for the next chunk. */
const DECLARED_MAX = 10_000;
const STREAMS_MAX = 2000;

/** The fold of the first deliveries; the others would load too much. */
export interface FoldedFirst extends Folded {
  /** Number of the deliveries that were folded: at least one, where there are any. */
  readonly taken: number;
}

/** A fold that is unusable, because deliveries broke the projections. */
export interface BrokenFold {
  readonly errors: readonly BrokenDeliveryError[];
  readonly loaded: ReadonlyMap<string, Head>;
}

/**
 * Loads and folds the deliveries from the first on, as many as the limits allow, over documents as they are stored.
 * Those that break the projections are parked, and the others are folded again. The caller reconciles the fold once
 * nothing more is folded upon it.
 *
 * @throws TooManyRowsError when the deliveries change more rows than the limit
 */
export async function foldDeliveries(
  store: ProjectorStore,
  all: readonly Delivery[],
  options: FoldOptions,
): Promise<FoldedFirst> {
  const broken = new Map<string, string>();
  for (;;) {
    const cache = createChunkCache();
    const folded = await foldOnce(store, all, { ...options, cache, broken });
    if (!isBroken(folded)) return folded;
    for (const [id, reason] of await reasonsOf(store, folded)) broken.set(id, reason);
  }
}

export function isBroken(folded: object): folded is BrokenFold {
  return 'errors' in folded;
}

/** Does the same in one attempt, over documents in memory. */
export async function foldOnce(
  store: ProjectorStore,
  all: readonly Delivery[],
  { limits, cache, broken, open }: FoldOnceOptions,
): Promise<FoldedFirst | BrokenFold> {
  const { tooMuch = null, streamsMax = STREAMS_MAX } = limits;
  const first = ofFirstStreams(all, streamsMax);
  const loaded = await headsOf(store, subjectsOf(first), cache);
  // After the heads: a later decision changes the head of its stream, and the commit notices that.
  const isSkipped = await store.decisions.load();
  const fold = createFold(cache.documents);
  for (const [subject, head] of loaded) fold.heads.set(subject, open?.(head) ?? head);
  const stored = await storedQueueEntryIds(store, fold, first);
  const events = admitted(fold.heads, first, isSkipped);
  let deliveries = first;
  if (tooMuch === null) {
    deliveries = first.slice(0, await load(store, events, { cache, limits, all: first }));
  }
  const errors = await deliverAll(fold, deliveries, {
    ...{ isSkipped, stored, broken, tooMuch },
    isQueue: open !== undefined,
  });
  return errors.length > 0 ? { errors, loaded } : { fold, loaded, taken: deliveries.length };
}

/** Returns whether deliveries search the stored rows: a search would miss rows that are only in memory. */
export function isSearchAmong(
  deliveries: readonly Delivery[],
  { streamsMax = STREAMS_MAX }: ChunkLimits,
): boolean {
  return ofFirstStreams(deliveries, streamsMax).some(({ event }) => isSearching(event));
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
 * Returns why deliveries broke the projections, by `queueEntryId`: of those alone that met the documents of their stream as
 * they are stored now. A change of them changes the head too, but what breaks on changed documents is folded again, with
 * the new head, so the commit would not notice.
 */
export async function reasonsOf(
  { collections }: ProjectorStore,
  { errors, loaded }: BrokenFold,
): Promise<Map<string, string>> {
  const now = await loadHeads(collections.heads, subjectsOf(errors.map(one => one.delivery)));
  const isCurrent = (id: string) => isSameHead(loaded.get(id) ?? null, now.get(id) ?? null);
  const current = errors.filter(({ delivery: { subject } }) => isCurrent(subject ?? ''));
  return new Map(current.map(({ delivery, cause }) => [queueEntryId(delivery), String(cause)]));
}

function cutBefore({ message }: Error, deliveries: readonly Delivery[]): TooManyRowsError {
  const before = deliveries.findIndex(({ event }) => isSearching(event));
  return new TooManyRowsError(message, Math.max(0, before));
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

interface LoadOptions extends Pick<FoldOnceOptions, 'cache' | 'limits'> {
  readonly all: readonly Delivery[];
}

/** Returns the number of deliveries whose documents are loaded. */
async function load(
  { collections }: ProjectorStore,
  events: readonly Admitted[],
  { cache, limits, all }: LoadOptions,
): Promise<number> {
  const { rowsMax, declaredMax = DECLARED_MAX } = limits;
  const loading = { collections, documents: cache.documents };
  const run = () => loadDocuments(loading, events, { rowsMax, declaredMax });
  const isAnyCascade = events.some(({ event }) => isCascade(event));
  try {
    const loaded = await (isAnyCascade ? rowSearches(collections).run(run) : run());
    return events[loaded]?.index ?? Number.POSITIVE_INFINITY;
  } catch (error) {
    throw error instanceof TooManyRowsError ? cutBefore(error, all) : error;
  }
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

/**
 * Returns the ids that are queued already, and those with the sequence of an event that may come out of its turn: only held
 * streams have a queue.
 */
async function storedQueueEntryIds(
  { collections: { waiting } }: ProjectorStore,
  fold: Fold,
  deliveries: readonly Delivery[],
): Promise<Set<string>> {
  const held = deliveries.filter(({ subject }) => fold.heads.get(subject ?? '')?.held);
  if (held.length === 0) return new Set();
  const options = { projection: { _id: 1 } } as const;
  const searches = [waiting.find({ _id: { $in: held.map(queueEntryId) } }, options)];
  const early = held.filter(mayComeOutOfTurn);
  for (const subject of subjectsOf(early)) {
    const own = early.filter(delivery => delivery.subject === subject);
    const sequence = { $in: own.map(delivery => delivery.sequence) };
    searches.push(waiting.find({ subject, sequence }, options));
  }
  const found = await Promise.all(searches.map(search => search.map(({ _id }) => _id).toArray()));
  return new Set(found.flat());
}
