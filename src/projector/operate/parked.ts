// What operators do about held streams: list, retry, skip. Each change is one transaction guarded by the head.
import type { Head } from '../../../projections/documents.ts';
import type { NewDecision } from '../../access/decisions.ts';
import { UserError } from '../../process/errors.ts';
import { createLogger } from '../../process/log.ts';
import { generationCollections } from '../../store/collections.ts';
import { fedOf, supersedes } from '../../store/generation-plan.ts';
import { decideOn, HELD_STREAMS, headOf, loadHead } from '../../store/heads.ts';
import { lockRegistry } from '../../store/registry.ts';
import { untilStored } from '../../store/retry.ts';
import { readShadowSet } from '../../store/shadow-sets.ts';
import { NO_WRITES } from '../../store/writing/commit.ts';
import type { ChunkLimits } from '../fold/fold-deliveries.ts';
import { drain } from '../queue/drain.ts';
import { readEntry } from '../queue/entries.ts';
import {
  decidedHead,
  decidedHold,
  decisionsOn,
  describeHolder,
  effectInOther,
  type Holder,
  holderOf,
  sequencesOf,
  skipStep,
} from '../queue/holder.ts';
import type { ProjectorStore } from '../store.ts';

/** Missing sequences that one skip may give up; a larger gap is refused. */
const MISSING_MAX = 1000;

/** Returns all held streams, ordered by id. */
export async function listHeld({
  collections,
}: Pick<ProjectorStore, 'collections'>): Promise<Head[]> {
  const held = await collections.heads.find(HELD_STREAMS).sort({ _id: 1 }).toArray();
  return held.map(headOf);
}

/**
 * Retries the queue of a held stream in order, and returns the head afterwards.
 *
 * @throws UserError when the stream is not held, or its documents are being written
 */
export async function retryHeld(
  store: ProjectorStore,
  subject: string,
  limits: ChunkLimits,
): Promise<Head> {
  const head = await heldHead(store, subject);
  const shadowSet = await readShadowSet(store.collections.shadowSets, subject);
  if (head.held?.why === 'change' && shadowSet) throw heldForWorkError(head);
  return drainQueue(store, subject, limits);
}

export interface SkipOptions {
  /** Gives up the missing sequences instead: events that arrive with them later are dropped as duplicates. */
  readonly missing: boolean;
  /** The id of the only event that may be skipped. */
  readonly event?: string | undefined;
  readonly limits: ChunkLimits;
  readonly now: Date;
}

/** What held the stream when the command began holds it no more; nothing was skipped. */
export class HolderChangedError extends UserError {}

/**
 * Skips the event that holds a stream and drains its queue; returns the head afterwards. The decision is stored, so
 * that every rebuild obeys it. It is about what held the stream when the command began, and about nothing else.
 *
 * @throws HolderChangedError when something else holds the stream by the time of the decision
 * @throws UserError when the stream is not held, or `missing` or `event` does not fit what holds it
 */
export async function skipHeld(
  store: ProjectorStore,
  subject: string,
  options: SkipOptions,
): Promise<Head> {
  const { limits, now } = options;
  const head = await heldHead(store, subject);
  if (head.held?.why === 'change') throw heldForWorkError(head);
  const holder = await readHolder(store, head);
  refuseWrongSkip(subject, holder, options);
  const decide = async () => {
    const current = await loadHead(store.collections.heads, subject);
    const isSkipped = await store.decisions.load();
    const found: Holder = current ? await readHolder(store, current) : { kind: 'nothing' };
    const step = skipStep(subject, holder, { holder: found, isSkipped });
    if (step === 'refuse') throw holderChanged(subject, holder, current?.held ? found : null);
    const decisions = decisionsOn(subject, holder);
    if (step === 'decide' && current)
      await storeDecisions(store, { head: current, decisions, now });
  };
  await untilStored(store.collections.heads.db, decide);
  return drainQueue(store, subject, limits);
}

interface DecidedStream {
  readonly head: Head;
  readonly decisions: readonly NewDecision[];
  readonly now: Date;
}

/**
 * Stores decisions about a stream, and fails when its head has changed. The commit changes the head too, in every
 * generation, so a fold that began before it fails, and obeys the decisions when it is repeated: nothing is applied live
 * that a rebuild would skip. If this process is killed then, the owner of the partition drains the queue.
 *
 * @throws UserError when another generation has applied what is to be given up
 */
async function storeDecisions(
  store: ProjectorStore,
  { head, decisions, now }: DecidedStream,
): Promise<void> {
  const held = head.held && decidedHold(head.held, decisions);
  await store.session.commit({
    ...NO_WRITES,
    heads: [{ loaded: head, now: decidedHead(head, held) }],
    async also(transaction) {
      for (const decision of decisions) await store.decisions.remember(decision, now, transaction);
      await decideInOthers(store, { head, decisions, now }, transaction);
    },
  });
}

type Transaction = NonNullable<Parameters<typeof loadHead>[2]>;

async function decideInOthers(
  { collections }: ProjectorStore,
  { head: { id, partition, sequence }, decisions, now }: DecidedStream,
  transaction: Transaction,
): Promise<void> {
  const { db, collectionName: ownHeads } = collections.heads;
  const { generations } = await lockRegistry(db, transaction);
  const headsOf = (generation: string) => generationCollections(db, generation).heads;
  const isOwn = (generation: string) => headsOf(generation).collectionName === ownHeads;
  const own = generations.find(({ id: one }) => isOwn(one));
  const skipsMissing = decisions.some(({ eventId }) => eventId === null);
  for (const other of fedOf(generations)) {
    const { id: generation, version } = other;
    if (other === own) continue;
    const { heads, shadowSets } = generationCollections(db, generation);
    const found = await loadHead(heads, id, transaction);
    const isInWork = (await readShadowSet(shadowSets, id, transaction)) !== null;
    const since = now.toISOString();
    const replaced = own && supersedes(other, own) ? sequence : null;
    const given = { decisions, since, isInWork, supersedes: replaced };
    const effect = effectInOther(found, given);
    if (effect.kind === 'applied') {
      const why = skipsMissing ? 'is not missing' : 'would be lost';
      throw new UserError(
        `Nothing was skipped: sequence ${effect.sequence} of stream ${id} ${why}, generation ${generation} has applied it`,
      );
    }
    // A stream of another version may be parked by the event; the command of its release mends it.
    const isForeign = version !== own?.version && !skipsMissing;
    if (isForeign && replaced === null) continue;
    if (effect.kind === 'work') {
      throw new UserError(
        `Nothing was skipped: generation ${generation} is changing stream ${id}; try again when it is no longer held there, or give up a build that stands still (budgeting rebuild --abandon)`,
      );
    }
    if (effect.kind !== 'held') continue;
    await decideOn(heads, { id, partition, held: isForeign ? null : effect.held }, transaction);
  }
}

/** Returns what holds a stream. A change of the queue changes the head: a commit over this head notices it. */
async function readHolder({ collections }: ProjectorStore, head: Head): Promise<Holder> {
  return holderOf(head, await readEntry(collections, head));
}

function refuseWrongSkip(
  subject: string,
  holder: Holder,
  { missing, event }: Pick<SkipOptions, 'missing' | 'event'>,
): void {
  if (holder.kind === 'missing') {
    if (!missing) {
      throw new UserError(
        `Stream ${subject} waits for sequence ${sequencesOf(holder)}: append it, or give it up with --missing`,
      );
    }
    const absent = holder.next - holder.from;
    if (absent <= MISSING_MAX) return;
    throw new UserError(`Expected at most ${MISSING_MAX} missing sequences, got ${absent}`);
  }
  if (holder.kind !== 'event') return;
  if (missing) throw new UserError(`Stream ${subject} misses no sequence: skip without --missing`);
  if (event === undefined || event === holder.eventId) return;
  throw new UserError(
    `Nothing was skipped: event ${event} does not hold stream ${subject}; ${describeHolder(holder)} holds it`,
  );
}

/** @param found null where the stream is not held */
function holderChanged(subject: string, begun: Holder, found: Holder | null): UserError {
  const now = found ? `${describeHolder(found)} holds it` : 'it is not held';
  return new HolderChangedError(
    `Nothing was skipped: ${describeHolder(begun)} no longer holds stream ${subject}; now ${now}`,
  );
}

function heldForWorkError({ id, held }: Head): UserError {
  return new UserError(`Stream ${id} is held for work (${held?.reason}), which goes on by itself`);
}

async function heldHead({ collections }: ProjectorStore, subject: string): Promise<Head> {
  const head = await loadHead(collections.heads, subject);
  if (!head) throw new UserError(`Unknown stream ${subject}`);
  if (!head.held) throw new UserError(`Stream ${subject} is not held`);
  return head;
}

// The projector, or another operator, may change the same stream: the drain then retries its step.
async function drainQueue(
  store: ProjectorStore,
  subject: string,
  limits: ChunkLimits,
): Promise<Head> {
  const logger = createLogger('silent');
  const { signal } = new AbortController();
  const head = await drain({ store, limits, logger, signal, isCommand: true }, subject);
  if (!head) throw new UserError(`Unknown stream ${subject}`);
  return head;
}
