// What one event changed in the figures that are served: its stream is folded from the log up to the event before it and
// up to it, in memory, as a verification does. Nothing is stored.
import { DOCUMENT_KINDS } from '../../../projections/document-kinds.ts';
import type { Head } from '../../../projections/documents.ts';
import { damagedLog, UserError } from '../../process/errors.ts';
import type { Delivery } from '../../projector/fold/delivery.ts';
import {
  createStreamFolder,
  type FoldedStreams,
  scanStreams,
} from '../../projector/fold/fold-streams.ts';
import { damageOf, dataLoss, orDamage } from '../../projector/log-damage.ts';
import { loadHead } from '../../store/heads.ts';
import { requireKept } from '../../store/snapshot.ts';
import { heapOptionFor, streamEventsMax, type VerifySource } from '../source.ts';
import { changedFigures, type FigureChange } from './changed-figures.ts';
import type { ServedDocuments } from './figures.ts';

export interface ExplainRequest {
  readonly stream: string;
  /** Null for the last one that was applied. */
  readonly sequence: number | null;
}

export interface Explanation {
  readonly stream: string;
  readonly sequence: number;
  /** The event that has this sequence; null where an operator gave it up before it arrived. */
  readonly event: ExplainedEvent | null;
  /** Why it has no effect, in a sentence without its stop; null when it was applied. */
  readonly without: string | null;
  readonly changes: readonly FigureChange[];
}

export interface ExplainedEvent extends Pick<Delivery, 'time' | 'partition' | 'offset'> {
  readonly id: string;
  /** Null for an event that is not valid. */
  readonly type: string | null;
}

/**
 * @throws UserError for an unknown or deleted stream, a sequence that was not applied, too little memory, a log that lost
 * what is explained or an event before it
 */
export async function explain(
  source: VerifySource,
  { stream, sequence }: ExplainRequest,
  signal: AbortSignal,
): Promise<Explanation> {
  const { database, generation, store, eventLog } = source;
  const { streamEventsMax: eventsMax = streamEventsMax() } = source;
  const { heads, checkpoints } = store.collections;
  const stored = await loadHead(heads, stream);
  const checkpoint = stored && (await checkpoints.findOne({ _id: stored.partition }));
  // Of one that was dropped meanwhile they are missing, and the log would seem to have lost all.
  await requireKept(database, generation);
  if (!stored) throw new UserError(`Unknown stream ${stream}`);
  if (!checkpoint) {
    throw new UserError(
      `Generation ${generation} has no checkpoint of partition ${stored.partition}: run budgeting verify`,
    );
  }
  if (stored.deleted) throw new UserError(`The budget ${stream} was deleted`);
  const at = sequence ?? stored.sequence;
  if (at < 1 || at > stored.sequence) throw outOfRange(stored, at);
  // Two folds of the stream are in memory at once.
  if (2 * at > eventsMax) throw tooLarge(at);
  const isSkipped = await store.decisions.load();
  const upTo = (last: number) =>
    createStreamFolder([{ ...stored, sequence: last, eventId: '' }], isSkipped);
  const [before, after] = [upTo(at - 1), upTo(at)];
  const { partition } = stored;
  const damage = await damageOf(eventLog, partition, checkpoint);
  if (damage !== null) throw damagedLog(damage);
  const lack = (what: string) => damagedLog(dataLoss(eventLog, partition, what));
  const range = { partition, from: 0, to: checkpoint.next };
  const ofSequence: Delivery[] = [];
  const take = (delivery: Delivery) => {
    const { subject, sequence: next } = delivery;
    if (subject !== stream || next > at) return;
    if (next < at) before.take(delivery);
    after.take(delivery);
    if (next === at) ofSequence.push(delivery);
  };
  const scanned = await orDamage(() =>
    scanStreams(eventLog, range, { has: key => key === stream, take, signal }),
  );
  if (typeof scanned === 'string') throw lack(scanned);
  // Of two events with the same sequence the first counts.
  const [found = null] = ofSequence;
  const [was, is] = [before.finish(), after.finish()];
  const isDecided = isSkipped(stream, at, found?.eventId ?? null);
  const { missing = null, stuck = null } = is.streams.get(stream) ?? {};
  const lost = missing?.sequence ?? (found === null && !isDecided ? at : null);
  if (lost !== null) throw lack(`sequence ${lost} of ${stream} was applied, and is not there`);
  if (stuck !== null)
    throw new UserError(`The log cannot be folded up to sequence ${at}: ${stuck}`);
  return {
    ...{ stream, sequence: at },
    event: found && explained(found),
    without: withoutEffect(found, isDecided),
    changes: [
      ...changedFigures(documentsOf(was, stream), documentsOf(is, stream)),
      ...changedHead(was.fold.heads.get(stream) ?? null, is.fold.heads.get(stream) ?? null),
    ],
  };
}

function outOfRange({ id, sequence }: Head, at: number): UserError {
  if (sequence === 0) return new UserError(`No event of ${id} has been applied yet`);
  return new UserError(
    `Expected --at to be a sequence of ${id} that was applied, 1 to ${sequence}, got ${at}`,
  );
}

function tooLarge(events: number): UserError {
  return new UserError(
    `The ${events} events need more memory than this process has (${heapOptionFor(2 * events)})`,
  );
}

function explained({ eventId: id, event, time, partition, offset }: Delivery): ExplainedEvent {
  return { id, type: event?.type ?? null, time, partition, offset };
}

function withoutEffect(found: Delivery | null, isDecided: boolean): string | null {
  if (isDecided) return found ? 'An operator skipped it' : 'An operator gave it up as missing';
  if (found?.event === null) return 'Its type is unknown to this version';
  return null;
}

function documentsOf({ fold }: FoldedStreams, stream: string): ServedDocuments {
  const set = fold.heads.get(stream)?.set ?? null;
  const contents = DOCUMENT_KINDS.map(
    kind => [kind, set === null ? [] : fold.documents.all(kind, set)] as const,
  );
  // The table of kinds gives each its own type.
  return Object.fromEntries<unknown>(contents) as unknown as ServedDocuments;
}

/** The facts of a budget or space that stand in its head. */
function changedHead(before: Head | null, after: Head | null): FigureChange[] {
  const [was, is] = [factsOf(before), factsOf(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.flatMap((figure): FigureChange[] => {
    const [old = null, now = null] = [was[figure], is[figure]];
    if (old === now) return [];
    const of = (after ?? before)?.space ? 'space' : 'budget';
    return [{ of, figure, month: null, until: null, before: old, after: now, by: null }];
  });
}

/** Fields of a head that are not served. */
const UNSERVED = ['nameKey', 'absolute', 'lastDate'];

function factsOf(head: Head | null): Record<string, string> {
  const { budget = null, space = null } = head ?? {};
  const ofSpace = space && { name: space.name, members: space.members.join(', ') };
  const facts: Record<string, unknown> = { ...budget, ...ofSpace };
  const served = Object.entries(facts).filter(
    ([name, value]) => value !== null && value !== '' && !UNSERVED.includes(name),
  );
  return Object.fromEntries(served.map(([name, value]) => [name, String(value)]));
}
