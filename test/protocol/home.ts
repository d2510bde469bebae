// A model of what lies where in the log: partitions are read in any order, by a projector that knows the heads of all
// streams, and a rebuild reads the same log in another order. Both must come to the same heads, queues and quarantine,
// and to those that each partition leads to by itself.
import type { Head } from '../../projections/documents.ts';
import { newHead } from '../../projections/new-head.ts';
import {
  type Delivery,
  deliveryFromLog,
  deliveryOf,
  type RawRecord,
} from '../../src/projector/fold/delivery.ts';
import { createFold, deliver, type Fold, queueEntryId } from '../../src/projector/fold/fold.ts';
import { copy, type Model, type Step } from './explore.ts';

/** A part of the protocol that the model leaves out. */
export type Unmended = 'the home' | 'no stream without an event';

/** The keys and sequences of the records of each partition, in order, as `a1`; `a` alone is a record that is no event. */
export type Layout = readonly string[];

interface State {
  /** The next offset of each partition. */
  readonly next: number[];
  readonly heads: readonly Head[];
  /** Places of the records in queues. */
  readonly waiting: readonly string[];
  readonly quarantined: readonly string[];
}

export interface PlacementOptions {
  readonly layout: Layout;
  readonly without?: Unmended;
}

const CONTEXT = { isSkipped: () => false, stored: new Set<string>(), broken: new Map() };

export function placementModel({ layout, without }: PlacementOptions): Model<State> {
  const log = layout.map((partition, index) =>
    partition.split(' ').flatMap((word, offset) => (word ? [recordOf(word, index, offset)] : [])),
  );
  const deliveries = new Map<string, Delivery>();
  for (const record of log.flat()) {
    const delivery =
      without === 'the home' ? deliveryOf(record) : deliveryFromLog(record, layout.length);
    deliveries.set(placeOf(record), delivery);
  }
  const start: State = { next: layout.map(() => 0), heads: [], waiting: [], quarantined: [] };
  const read = (state: State, partition: number): State => {
    const offset = state.next[partition] ?? 0;
    const delivery = deliveries.get(placeOf({ partition, offset }));
    if (!delivery) return state;
    const after = copy(applied(state, delivery));
    after.next[partition] = offset + 1;
    return after;
  };

  function applied(state: State, delivery: Delivery): State {
    const fold = foldOf(state);
    const { subject, partition } = delivery;
    if (without === 'no stream without an event' && subject !== null && !fold.heads.has(subject)) {
      fold.heads.set(subject, newHead(subject, partition));
    }
    deliver(fold, delivery, CONTEXT);
    if (subject !== null) drainGap(fold, subject);
    const { queued, quarantined } = fold;
    return {
      next: state.next,
      heads: sorted([...fold.heads.values()], ({ id }) => id),
      waiting: sorted([...queued.values()].map(placeOf)),
      quarantined: sorted([...state.quarantined, ...quarantined.map(placeOf)]),
    };
  }

  function foldOf({ heads, waiting }: State): Fold {
    const fold = createFold();
    for (const head of heads) fold.heads.set(head.id, head);
    for (const place of waiting) {
      const delivery = deliveries.get(place);
      if (delivery) fold.queued.set(queueEntryId(delivery), delivery);
    }
    return fold;
  }

  // Each partition by itself, one after the other: what belongs to it depends on nothing else.
  const expected = textOf(
    log.reduce(
      (state, records, partition) => records.reduce(reached => read(reached, partition), state),
      start,
    ),
  );
  return {
    init: () => [start],
    *next(state): Iterable<Step<State>> {
      for (const [partition, records] of log.entries()) {
        const offset = state.next[partition] ?? 0;
        if (offset < records.length) yield [`read ${partition}/${offset}`, read(state, partition)];
      }
    },
    invariant: ({ heads }) => {
      const empty = heads.find(({ id }) => !log.flat().some(({ value }) => isEventOf(value, id)));
      return empty ? `${empty.id} is a stream, but the log has no event of it` : null;
    },
    quiescent: state => {
      const found = textOf(state);
      return found === expected ? null : `expected ${expected}, got ${found}`;
    },
  };
}

function drainGap(fold: Fold, subject: string): void {
  for (;;) {
    const head = fold.heads.get(subject);
    const entry = [...fold.queued].find(
      ([, { subject: of, sequence }]) => of === subject && sequence === (head?.sequence ?? 0) + 1,
    );
    if (head?.held?.why !== 'gap' || !entry) return;
    const [id, delivery] = entry;
    const queued = head.held.queued - 1;
    fold.queued.delete(id);
    fold.heads.set(subject, { ...head, held: null });
    deliver(fold, delivery, CONTEXT);
    const after = fold.heads.get(subject) ?? head;
    if (queued > 0) fold.heads.set(subject, { ...after, held: { ...head.held, queued } });
  }
}

/** Returns what must not depend on the order; since when and why a stream is held depends on the first that waits. */
function textOf({ heads, waiting, quarantined }: State): string {
  const facts = heads.map(({ id, partition, sequence, eventId, held }) => {
    return { id, partition, sequence, eventId, why: held?.why, queued: held?.queued };
  });
  return JSON.stringify({ heads: facts, waiting, quarantined });
}

function placeOf({ partition, offset }: Pick<RawRecord, 'partition' | 'offset'>): string {
  return `${partition}/${offset}`;
}

function sorted<T>(all: readonly T[], by: (one: T) => string = String): T[] {
  return [...all].sort((one, other) => (by(one) < by(other) ? -1 : 1));
}

function recordOf(word: string, partition: number, offset: number): RawRecord {
  const [key = '', sequence = ''] = [word.slice(0, 1), word.slice(1, 2)];
  const id = `${word} of ${partition}/${offset}`;
  return { partition, offset, key, value: sequence ? eventText(key, Number(sequence), id) : key };
}

/** An event of a type that no version knows takes its sequence, and needs no documents. */
function eventText(subject: string, sequence: number, id: string): string {
  const time = '2026-01-01T00:00:00Z';
  const envelope = { specversion: '1.0', id, source: '/model', type: 'goal.set', time };
  return JSON.stringify({ ...envelope, subject, sequence, schemaversion: 1, data: {} });
}

function isEventOf(value: RawRecord['value'], id: string): boolean {
  return String(value).includes(`"subject":"${id}"`);
}
