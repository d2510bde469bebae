// Folds deliveries over what the store holds, and says what is to be written: the part that a chunk of the log
// and the queue of a held stream share.
import type { Head } from '../../projections/documents.ts';
import { isSpaceEvent } from '../../projections/project.ts';
import { isCascade } from '../../projections/reads.ts';
import type { IsSkipped } from '../access/decisions.ts';
import { inTurns } from '../in-turns.ts';
import type { StoredWaiting } from '../read-store/collections.ts';
import type { FoldWrites } from '../read-store/commit.ts';
import { loadHeads } from '../read-store/heads.ts';
import {
  type Addressed,
  loadDocuments,
  TooManyDocumentsError,
} from '../read-store/load-documents.ts';
import { documentWrites } from '../read-store/write-documents.ts';
import { type Carried, createCarried } from './carried.ts';
import { type Delivery, textOf } from './delivery.ts';
import {
  BrokenDeliveryError,
  createFold,
  deliver,
  type Fold,
  type FoldContext,
  settleFold,
  waitingId,
} from './fold.ts';
import { passage } from './gate.ts';
import type { ProjectorStore } from './store.ts';

export interface WorkLimits {
  /** Rows that one transaction may change before its chunk is cut smaller. */
  readonly documentsMax: number;
  /** Why the one delivery there is changes too much for a transaction; it is not folded then, but held. */
  readonly tooMuch?: string;
}

/** A fold, and the heads it began from. */
export interface Worked {
  readonly fold: Fold;
  readonly loaded: ReadonlyMap<string, Head>;
}

/**
 * Loads, folds and settles. A delivery that breaks the projections is parked and the fold done anew.
 *
 * @param carried what need not be loaded; it is forgotten when this rejects
 * @param open turns a loaded head into the one to begin from: a queue that is drained is not held
 */
export async function work(
  store: ProjectorStore,
  deliveries: readonly Delivery[],
  limits: WorkLimits,
  carried: Carried = createCarried(),
  open: (head: Head) => Head = head => head,
): Promise<Worked> {
  const isSkipped = await store.decisions.load();
  const broken = new Map<string, string>();
  for (;;) {
    const loaded = await headsOf(store, subjectsOf(deliveries), carried);
    const fold = createFold(carried.documents);
    for (const [subject, head] of loaded) fold.heads.set(subject, open(head));
    const stored = await storedWaiting(store, fold, deliveries);
    const events = addressed(fold.heads, deliveries, isSkipped);
    const { tooMuch = null } = limits;
    try {
      if (tooMuch === null) await load(store, carried, events, limits.documentsMax);
      await foldAll(fold, deliveries, { isSkipped, stored, broken, tooMuch });
      return { fold, loaded };
    } catch (error) {
      // What is loaded or changed by half is of no use.
      await carried.quiet();
      carried.forget();
      if (error instanceof TooManyDocumentsError) throw cutBefore(error, deliveries);
      if (!(error instanceof BrokenDeliveryError)) throw error;
      broken.set(waitingId(error.delivery), String(error.cause));
    }
  }
}

function cutBefore({ message }: Error, deliveries: readonly Delivery[]): TooManyDocumentsError {
  const before = deliveries.findIndex(
    ({ event }) => event !== null && !isSpaceEvent(event) && isCascade(event),
  );
  return new TooManyDocumentsError(message, Math.max(0, before));
}

async function headsOf(
  { collections }: ProjectorStore,
  subjects: readonly string[],
  carried: Carried,
): Promise<Map<string, Head>> {
  const missing = subjects.filter(subject => !carried.heads.has(subject));
  if (missing.length > 0) carried.learn(await loadHeads(collections.heads, missing));
  const heads = new Map<string, Head>();
  for (const subject of subjects) {
    const head = carried.heads.get(subject);
    if (head) heads.set(subject, head);
  }
  return heads;
}

async function load(
  { collections }: ProjectorStore,
  carried: Carried,
  events: readonly Addressed[],
  documentsMax: number,
): Promise<void> {
  // What is being committed is carried, but a search in the store would not find it.
  if (events.some(({ event }) => isCascade(event))) await carried.quiet();
  await loadDocuments(collections, carried.documents, events, documentsMax);
}

async function foldAll(
  fold: Fold,
  deliveries: readonly Delivery[],
  context: FoldContext,
): Promise<void> {
  await inTurns(deliveries, delivery => deliver(fold, delivery, context));
  settleFold(fold);
}

/** What a fold comes to in the store, without a checkpoint. */
export function writesOf({ fold, loaded }: Worked): FoldWrites {
  const heads = [...fold.heads.values()]
    .map(now => ({ loaded: loaded.get(now.id) ?? null, now }))
    .filter(change => change.loaded !== change.now);
  return {
    checkpoint: null,
    heads,
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

/** As a queue stores it. */
export function storedDelivery(id: string, delivery: Delivery): StoredWaiting {
  const { subject, sequence, partition, offset, eventId, time } = delivery;
  const value = textOf(delivery.value);
  const stored = { _id: id, subject: subject ?? '', sequence, partition, offset, eventId, value };
  // Only a record that is no event may need the time that the log gave it.
  return delivery.problem === null ? stored : { ...stored, timestamp: time };
}

function subjectsOf(deliveries: readonly Delivery[]): string[] {
  const subjects = new Set<string>();
  for (const { subject } of deliveries) if (subject !== null) subjects.add(subject);
  return [...subjects];
}

// Only streams that are held can have anything in their queue already.
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

// What may be applied: nothing behind a gap, for none of it is part of this fold, however much it would change.
function addressed(
  heads: ReadonlyMap<string, Head>,
  deliveries: readonly Delivery[],
  isSkipped: IsSkipped,
): Addressed[] {
  const events: Addressed[] = [];
  const reached = new Map<string, Head>();
  for (const delivery of deliveries) {
    const { event, subject, sequence, eventId } = delivery;
    const head = reached.get(subject ?? '') ?? heads.get(subject ?? '');
    if (!head?.set || head.held) continue;
    const way = passage(head, delivery, isSkipped);
    if (way.kind === 'apply' && event && !isSpaceEvent(event)) {
      events.push({ set: head.set, event });
    }
    if (way.kind === 'wait') reached.set(head.id, { ...head, held: HELD });
    else if (way.kind !== 'drop') reached.set(head.id, { ...head, sequence, eventId });
  }
  return events;
}

/** Stands for whatever holds a stream. */
const HELD: Head['held'] = { since: '', why: 'gap', reason: '', queued: 0 };
