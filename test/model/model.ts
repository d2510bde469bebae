// An independent implementation of the specification, simple rather than fast: it takes the events of the log one by
// one, keeps only live things, and computes every answer from them. It shares no code with the projections.
import {
  BUDGET_EVENT_TYPES,
  type DomainEvent,
  SPACE_EVENT_TYPES,
} from '../../schemas/generated/events.ts';
import { type Answers, createAnswers } from './answers.ts';
import { applyEvent } from './apply-event.ts';
import { type Changes, noChanges, noteChanges } from './changes.ts';
import { lawViolations } from './months.ts';
import { type Refusal, refusalOf } from './refusal.ts';
import type { World } from './state.ts';
import {
  createStream,
  enqueue,
  erase,
  heldSince,
  isRepeated,
  type LogEvent,
  type Stream,
  type Waiting,
} from './stream.ts';

/** `held`: the event waits in the queue of its stream, because it parked the stream or came later. */
export type Outcome = 'applied' | 'ignored' | 'duplicate' | 'dropped' | 'held';

/** A held stream. `refusal` is null if it only waits for a missing sequence. */
export interface HeldStream {
  subject: string;
  since: string;
  refusal: Refusal | null;
  /** The event to retry or skip; null if the stream only waits. */
  eventId: string | null;
  waiting: number;
}

export interface Counts {
  duplicates: number;
  unknownTypes: number;
  dropped: number;
}

export interface Model {
  /** @param options.schemaValid false for an event with a valid envelope whose data violates its schema */
  deliver(event: LogEvent, options?: { schemaValid?: boolean }): Outcome;
  /** The operator's `parked retry`: replays the queue in order. False if the stream is not held. */
  retry(subject: string): boolean;
  /** The operator's `parked skip`: drops the parked event for good. False if none is parked. */
  skip(subject: string): boolean;
  held(): HeldStream[];
  counts(): Counts;
  /** The last applied sequence of any stream, 0 before the first event. */
  position(subject: string): number;
  /** @param options.today the server's UTC date, `YYYY-MM-DD` */
  answers(user: string, options: { today: string }): Answers;
  /** The live budgets by id, whether a user reaches them or not. */
  budgetIds(): string[];
  /** Every member of any space. */
  users(): string[];
  /** Returns the months of the budget that break rules/months.md#law (see months.ts). */
  lawViolations(budgetId: string): string[];
}

const KNOWN_TYPES: ReadonlySet<string> = new Set([...SPACE_EVENT_TYPES, ...BUDGET_EVENT_TYPES]);
const KNOWN_VERSION = 1;

interface ModelOptions {
  /** `id`s of events that operators skipped earlier; a rebuild skips them too. */
  skipped?: Iterable<string>;
  /** Follows what each event changes. It takes time with each event, for everything in its budget. */
  followsChanges?: boolean;
}

export function createModel(options: ModelOptions = {}): Model {
  const world: World = { spaces: new Map(), budgets: new Map() };
  const streams = new Map<string, Stream>();
  const skipped = new Set(options.skipped);
  const changes = new Map<string, Changes>();
  const counts: Counts = { duplicates: 0, unknownTypes: 0, dropped: 0 };
  let arrivals = 0;

  function streamOf(subject: string): Stream {
    const known = streams.get(subject);
    if (known) return known;
    const fresh = createStream(subject);
    streams.set(subject, fresh);
    return fresh;
  }

  function deliver(event: LogEvent, { schemaValid = true } = {}): Outcome {
    const stream = streamOf(event.subject);
    if (isRepeated(stream, event, skipped)) {
      counts.duplicates += 1;
      return 'duplicate';
    }
    if (stream.isDeleted) {
      counts.dropped += 1;
      return 'dropped';
    }
    const waiting: Waiting = { event, schemaValid, arrival: arrivals++ };
    enqueue(stream, waiting);
    if (!stream.parked) drain(stream);
    takeEffectAtOnce(stream);
    if (stream.queue.includes(waiting)) return 'held';
    return KNOWN_TYPES.has(event.type) && !skipped.has(event.id) ? 'applied' : 'ignored';
  }

  /** Applies the queue in order until it is empty, a sequence is missing or an event is refused. */
  function drain(stream: Stream): void {
    stream.parked = null;
    for (let waiting = stream.queue[0]; waiting; waiting = stream.queue[0]) {
      const { event } = waiting;
      if (event.sequence > stream.sequence + 1) return;
      const refusal = applyNext(stream, waiting);
      if (refusal) {
        stream.parked = { waiting, refusal };
        return;
      }
      stream.queue.splice(stream.queue.indexOf(waiting), 1);
    }
  }

  /** Applies the next event, or returns the reason to refuse it and changes nothing. */
  function applyNext(stream: Stream, { event, schemaValid }: Waiting): Refusal | null {
    if (event.sequence < stream.sequence) {
      counts.duplicates += 1;
      return null;
    }
    if (event.sequence === stream.sequence) return skipped.has(event.id) ? null : 'conflict';
    if (!skipped.has(event.id)) {
      const refusal = evolve(event, schemaValid);
      if (refusal) return refusal;
    }
    stream.sequence = event.sequence;
    stream.lastId = event.id;
    return null;
  }

  function evolve(event: LogEvent, schemaValid: boolean): Refusal | null {
    if (!KNOWN_TYPES.has(event.type)) {
      counts.unknownTypes += 1;
      return null;
    }
    if (event.schemaversion !== KNOWN_VERSION) return 'unknown-version';
    if (!schemaValid) return 'undecodable';
    const refusal = refusalOf(world, event as DomainEvent);
    if (refusal) return refusal;
    applyEvent(world, event as DomainEvent);
    if (event.type === 'budget.deleted') erase(streamOf(event.subject), event);
    if (options.followsChanges) follow(event);
    return null;
  }

  function follow({ subject, sequence }: LogEvent): void {
    const budget = world.budgets.get(subject);
    if (!budget) return;
    const known = changes.get(subject) ?? noChanges();
    changes.set(subject, known);
    noteChanges(known, budget, sequence);
  }

  /** `member-removed` and `budget.deleted` do not wait in a held stream (rules/events.md#removals-and-deletions). */
  function takeEffectAtOnce(stream: Stream): void {
    for (const waiting of [...stream.queue]) {
      const { event, schemaValid } = waiting;
      const isReadable = schemaValid && event.schemaversion === KNOWN_VERSION;
      const isRefusedItself = waiting === stream.parked?.waiting;
      if (!isReadable || isRefusedItself || event.sequence <= stream.sequence) continue;
      if (skipped.has(event.id)) continue;
      if (event.type === 'space.member-removed') {
        const { userId } = event.data as { userId: string };
        world.spaces.get(stream.subject)?.members.delete(userId);
      } else if (event.type === 'budget.deleted' && !world.spaces.has(stream.subject)) {
        world.budgets.delete(stream.subject);
        erase(stream, event);
      }
    }
  }

  return {
    deliver,
    retry(subject) {
      const stream = streamOf(subject);
      if (stream.queue.length === 0) return false;
      drain(stream);
      takeEffectAtOnce(stream);
      return true;
    },
    skip(subject) {
      const stream = streamOf(subject);
      if (!stream.parked) return false;
      skipped.add(stream.parked.waiting.event.id);
      drain(stream);
      takeEffectAtOnce(stream);
      return true;
    },
    held: () =>
      [...streams.values()].flatMap(stream => {
        const since = heldSince(stream);
        if (since === null) return [];
        return {
          subject: stream.subject,
          since,
          refusal: stream.parked?.refusal ?? null,
          eventId: stream.parked?.waiting.event.id ?? null,
          waiting: stream.queue.length,
        };
      }),
    counts: () => ({ ...counts }),
    position: subject => streams.get(subject)?.sequence ?? 0,
    answers: (user, { today }) =>
      createAnswers(world, {
        user,
        today,
        streamOf: subject => {
          const stream = streamOf(subject);
          return { sequence: stream.sequence, heldSince: heldSince(stream) };
        },
        changesOf: budgetId => changes.get(budgetId),
      }),
    budgetIds: () => [...world.budgets.keys()].sort(),
    users: () =>
      [...new Set([...world.spaces.values()].flatMap(space => [...space.members]))].sort(),
    lawViolations: budgetId => {
      const budget = world.budgets.get(budgetId);
      return budget ? lawViolations(budget) : [];
    },
  };
}
