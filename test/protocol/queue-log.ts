// The log of the model of a queue: a few events of one stream, written as words.
import type { Head } from '../../projections/documents.ts';
import type { DomainEvent } from '../../schemas/generated/events.ts';
import type { Delivery } from '../../src/projector/fold/delivery.ts';
import { createFold, deliver, type Fold, queueEntryId } from '../../src/projector/fold/fold.ts';

export const STREAM = 'x';

const MEMBER = { userId: 'u' };
const BUDGET = { spaceId: 's', name: 'b', currency: 'EUR' };

/**
 * What an event of a kind is; `bad` contradicts the one that began the stream, `other` has the sequence of another event,
 * and `noise` is no event.
 */
const EVENTS = {
  space: () => ({ type: 'space.created', data: { name: 'n' } }),
  bad: () => ({ type: 'space.created', data: { name: 'again' } }),
  named: (sequence: number) => ({ type: 'space.renamed', data: { name: `n${sequence}` } }),
  added: () => ({ type: 'space.member-added', data: MEMBER }),
  removed: () => ({ type: 'space.member-removed', data: MEMBER }),
  budget: () => ({ type: 'budget.created', data: BUDGET }),
  wrong: () => ({ type: 'budget.created', data: BUDGET }),
  renamed: (sequence: number) => ({ type: 'budget.renamed', data: { name: `n${sequence}` } }),
  deleted: () => ({ type: 'budget.deleted', data: {} }),
  other: (sequence: number) => ({ type: 'space.renamed', data: { name: `other ${sequence}` } }),
  noise: () => null,
} as const;

type Kind = keyof typeof EVENTS;

export interface Logged extends Delivery {
  readonly kind: Kind;
  readonly isBad: boolean;
}

/** Returns the deliveries of a log such as `space1 bad2 named3`: each word is a kind and a sequence. */
export function logOf(words: string): Logged[] {
  return words.split(' ').map((word, offset) => {
    const [, kind = '', digits = ''] = /^([a-z]+)(\d+)$/.exec(word) ?? [];
    const sequence = Number(digits);
    const time = `2026-01-01T00:00:${String(offset).padStart(2, '0')}.000Z`;
    const eventId = `${kind === 'other' ? 'o' : 'e'}${sequence}`;
    const envelope = { specversion: '1.0', id: eventId, source: 'https://x', subject: STREAM };
    const made = EVENTS[kind as Kind](sequence);
    const event =
      made && ({ ...envelope, ...made, time, sequence, schemaversion: 1 } as DomainEvent);
    const problem = made ? null : 'No event';
    const place = { partition: 0, offset, subject: STREAM, sequence, eventId, time };
    const isBad = kind === 'bad' || kind === 'wrong';
    return { ...place, event, problem, value: '', kind: kind as Kind, isBad };
  });
}

/** A decision as the store names it within its stream. */
export function decisionId(sequence: number, eventId: string | null): string {
  return `${sequence}/${eventId ?? ''}`;
}

export function isSkippedBy(decisions: readonly string[]) {
  return (_: string, sequence: number, eventId: string | null) =>
    decisions.includes(decisionId(sequence, eventId)) ||
    decisions.includes(decisionId(sequence, null));
}

export interface FoldInput {
  readonly head: Head | null;
  readonly deliveries: readonly Logged[];
  readonly decisions: readonly string[];
  /** What is stored in the queue. */
  readonly queue: readonly Logged[];
  /** The deliveries come from the queue. */
  readonly isQueue?: true;
}

export function foldOf({ head, deliveries, decisions, queue, isQueue }: FoldInput): Fold {
  const fold = createFold();
  if (head) fold.heads.set(STREAM, head);
  const stored = new Set(head?.held ? queue.map(queueEntryId) : []);
  const context = {
    ...{ isSkipped: isSkippedBy(decisions), stored, broken: new Map(), tooMuch: null },
    isQueue: isQueue ?? false,
  };
  for (const delivery of deliveries) deliver(fold, delivery, context);
  return fold;
}
