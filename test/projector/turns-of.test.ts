// The order in which a queue is applied (rules/events.md#turns-in-a-queue).
import test from 'ava';
import type { Delivery } from '../../src/projector/fold/delivery.ts';
import { turnsOf } from '../../src/projector/queue/turns-of.ts';

interface Given {
  readonly sequence?: number;
  readonly isCut?: boolean;
  /** Sequences that an operator gave up. */
  readonly givenUp?: readonly number[];
  readonly knownTo?: number;
}

/** Takes and returns words such as `3@7`: the event with sequence 3, at offset 7. */
function turns(words: string, { sequence = 1, givenUp = [], ...given }: Given = {}): string {
  const entries = words.split(' ').map(id => {
    const [of = 0, offset = 0] = id.split('@').map(Number);
    return { id, delivery: { sequence: of, offset } as Delivery };
  });
  const isSkipped = (_: string, of: number, eventId: string | null) =>
    eventId === null && givenUp.includes(of);
  const head = { id: 'x', sequence };
  const ordered = turnsOf(entries, {
    ...{ isCut: false, knownTo: Number.POSITIVE_INFINITY, ...given },
    ...{ head, isSkipped },
  });
  return ordered.map(({ id }) => id).join(' ');
}

test('a queue of successive events is applied in the order of their sequences', t => {
  t.is(turns('2@9 3@5 4@7'), '2@9 3@5 4@7');
});

test('a record without a sequence comes before what arrived after it', t => {
  t.is(turns('0@6 2@4 3@5 4@7'), '2@4 3@5 0@6 4@7');
  t.is(turns('0@3 2@4'), '0@3 2@4');
  t.is(turns('0@9 0@5 2@4 3@6'), '2@4 0@5 3@6 0@9');
});

test('it comes before a gap, and before what fills the gap later', t => {
  t.is(turns('0@6 2@4 4@5'), '2@4 0@6 4@5');
  t.is(turns('0@6 2@4 3@8 4@5'), '2@4 0@6 3@8 4@5');
  t.is(turns('0@6 2@4 4@5', { givenUp: [3] }), '2@4 4@5 0@6');
});

test('another event with a sequence holds the stream, unless the next one came before it', t => {
  t.is(turns('2@4 2@6 3@5 4@9'), '2@4 3@5 2@6 4@9');
  t.is(turns('2@4 2@6 3@7'), '2@4 2@6 3@7');
  t.is(turns('1@6 2@5 3@7'), '2@5 1@6 3@7');
  t.is(turns('2@4 2@6'), '2@4 2@6');
});

test('what may come beyond a cut is left for the next step', t => {
  t.is(turns('0@9 2@4 3@5', { isCut: true }), '2@4 3@5');
  t.is(turns('0@9 2@4 3@5', { isCut: false }), '2@4 3@5 0@9');
  t.is(turns('0@4 2@5 3@6', { isCut: true }), '0@4 2@5 3@6');
});

test('nothing waits for the arrival of a sequence that was given up', t => {
  t.is(turns('2@2 2@3 3@4 4@1 5@5', { givenUp: [3] }), '2@2 4@1 2@3 3@4 5@5');
  t.is(turns('2@2 2@3 3@4', { givenUp: [3] }), '2@2 2@3 3@4');
  t.is(turns('2@2 2@4 3@3', { givenUp: [3] }), '2@2 3@3 2@4');
  t.is(turns('2@2 3@3 5@4', { givenUp: [3] }), '2@2 3@3 5@4');
  t.is(turns('2@3', { givenUp: [2], isCut: true }), '', 'the next one tells');
});

test('no turn is given out that an entry beyond a cut may come before', t => {
  t.is(turns('1@3 1@4 2@9', { knownTo: 4 }), '1@3 1@4');
  t.is(turns('1@3 1@7 2@5 3@6 4@9', { knownTo: 7 }), '1@3 2@5 3@6 1@7');
  t.is(turns('1@3 1@4 3@2', { knownTo: 4 }), '1@3 1@4', 'a gap');
  t.is(turns('1@3 1@4', { knownTo: 4 }), '1@3 1@4');
});
