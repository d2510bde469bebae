// The fold of one stream in memory: events that wait, events that take effect while they wait, erased events.
import test from 'ava';
import type { Head } from '../../projections/documents.ts';
import { newHead } from '../../projections/new-head.ts';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import { type Delivery, deliveryFromLog, deliveryOf } from '../../src/projector/fold/delivery.ts';
import {
  BrokenDeliveryError,
  createFold,
  deliver,
  type Fold,
  type FoldContext,
  queueEntryId,
  reconcileFold,
  setIdOf,
} from '../../src/projector/fold/fold.ts';
import type { Draft } from '../histories/row-actions.ts';
import { account, payee, row, timeOf } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';

const EMPTY_CONTEXT: FoldContext = {
  isSkipped: () => false,
  stored: new Set(),
  broken: new Map(),
};
const DELETE: Draft = { type: 'budget.deleted', data: {} };
const SPACE: Draft = { type: 'space.created', data: { name: null } };
const add = (userId: string): Draft => ({ type: 'space.member-added', data: { userId } });
const remove = (userId: string): Draft => ({ type: 'space.member-removed', data: { userId } });

interface FoldedStream {
  readonly fold: Fold;
  tell(draft: Draft, changes?: Partial<LogEvent>, context?: Partial<FoldContext>): Delivery;
  head(): Head;
}

function foldOf(subject: string, ...drafts: readonly Draft[]): FoldedStream {
  const fold = createFold();
  const eventOf = eventMaker(subject);
  let offset = 0;
  const tell: FoldedStream['tell'] = (draft, changes, context) => {
    const value = JSON.stringify(eventOf(draft, changes));
    const delivery = deliveryOf({ partition: 2, offset, key: subject, value });
    offset += 1;
    deliver(fold, delivery, { ...EMPTY_CONTEXT, ...context });
    return delivery;
  };
  for (const draft of drafts) tell(draft);
  return { fold, tell, head: () => fold.heads.get(subject) ?? newHead('none', 0) };
}

const queue = ({ fold }: FoldedStream) => [...fold.queued.values()].map(({ sequence }) => sequence);

test('a new stream has its partition, and a new budget the set of its first event', t => {
  const budget = foldOf('b', CREATED, account('home', true), row('r', { accountId: 'home' }));
  reconcileFold(budget.fold);
  t.like(budget.head(), { id: 'b', partition: 2, sequence: 3, eventId: 'b.3', set: '2-0' });
  t.is(budget.head().budget?.lastDate, '2024-03-01');
  t.is(budget.fold.counts.applied, 3);
  t.is(setIdOf({ partition: 2, offset: 0 } as Delivery), '2-0');
});

test('an invalid event holds its stream since its own time, with its reason', t => {
  const budget = foldOf('b', CREATED, payee('shop'), payee('shop'), payee('mall'));
  t.deepEqual(budget.head().held, {
    since: timeOf(3),
    why: 'parked',
    reason: 'The payee shop is there already',
    queued: 2,
    entry: 'b/0000000003/2/b.3',
  });
  t.is(budget.head().sequence, 2);
  t.deepEqual(queue(budget), [3, 4]);
  t.is(budget.fold.documents.changes('payees').length, 1);
});

test('a gap holds its stream since the time of the first event that waits', t => {
  const budget = foldOf('b', CREATED);
  budget.tell(payee('a'), { sequence: 4 });
  budget.tell(payee('b'), { sequence: 3 });
  const reason = 'Expected sequence 2, got 4';
  t.deepEqual(budget.head().held, { since: timeOf(4), why: 'gap', reason, queued: 2 });
});

test('the same event waits once, in the queue of this fold and in the stored one', t => {
  const budget = foldOf('b', CREATED);
  const early = budget.tell(payee('a'), { sequence: 4 });
  budget.tell(payee('a'), { sequence: 4 });
  budget.tell(payee('z'), { sequence: 4, id: 'another' });
  const stored = new Set([`b/${'7'.padStart(10, '0')}/2/b.7`]);
  budget.tell(payee('c'), { sequence: 7 }, { stored });
  t.deepEqual(queue(budget), [4, 4]);
  t.is(budget.head().held?.queued, 2);
  t.is(budget.fold.counts.duplicates, 2);
  t.is(queueEntryId(early), 'b/0000000004/2/b.4');
});

test('ids of queue entries are ordered by sequence', t => {
  const id = (sequence: number) =>
    queueEntryId({ subject: 'b', sequence, partition: 0, eventId: 'x' } as Delivery);
  const numbers = [0, 2, 10, 99, 2_147_483_647];
  t.deepEqual(numbers.map(id).sort(), numbers.map(id));
});

test('member-removed takes effect on a held stream, and sequence and queue stay unchanged', t => {
  const space = foldOf('s', SPACE, add('ann'), add('bob'));
  space.tell(add('cid'), { sequence: 5 });
  space.tell(remove('ann'), { sequence: 6 });
  t.deepEqual(space.head().space?.members, ['bob']);
  t.is(space.head().sequence, 3);
  t.is(space.head().held?.queued, 2);
  t.deepEqual(queue(space), [5, 6]);
});

test('member-removed takes effect even as the first event that waits for a gap', t => {
  const space = foldOf('s', SPACE, add('ann'));
  space.tell(remove('ann'), { sequence: 4 });
  t.deepEqual(space.head().space?.members, []);
  t.is(space.head().held?.why, 'gap');
});

test('member-removed that already waits has no second effect, since the member may have been added again', t => {
  const space = foldOf('s', SPACE, add('ann'));
  space.tell(remove('ann'), { sequence: 4 });
  const head = space.head();
  space.fold.heads.set('s', { ...head, space: head.space && { ...head.space, members: ['ann'] } });
  space.tell(remove('ann'), { sequence: 4 });
  t.deepEqual(space.head().space?.members, ['ann']);
});

test('a conflict, or an event that is invalid by itself, takes no effect on a held stream', t => {
  const space = foldOf('s', SPACE, add('ann'), SPACE);
  space.tell(remove('ann'), { sequence: 2, id: 'another' });
  space.tell(remove('ann'), { sequence: 4, schemaversion: 2 });
  t.deepEqual(space.head().space?.members, ['ann']);
  t.is(space.head().held?.queued, 3);
  const budget = foldOf('b', DELETE);
  t.false(budget.head().deleted, 'budget.deleted before budget.created is invalid');
  t.is(budget.head().held?.reason, 'budget.deleted came before budget.created');
});

test('budget.deleted takes effect on a parked stream: its sequence counts, and its queue is erased', t => {
  const budget = foldOf('b', CREATED, payee('shop'), payee('shop'), payee('mall'));
  budget.tell(DELETE, { sequence: 9 });
  t.deepEqual(budget.head(), {
    ...newHead('b', 2),
    sequence: 9,
    deleted: true,
  });
  t.is(budget.fold.queued.size, 0);
  t.deepEqual([...budget.fold.erased], ['b']);
  t.deepEqual([...budget.fold.swept], ['2-0']);
  t.is(budget.fold.documents.changes('payees').length, 0);
});

test('budget.deleted beyond a gap takes effect when it arrives, even before the budget is known', t => {
  const budget = foldOf('b');
  budget.tell(payee('early'), { sequence: 3 });
  budget.tell(DELETE, { sequence: 8 });
  t.like(budget.head(), { sequence: 8, deleted: true, held: null });
  t.is(budget.fold.swept.size, 0);
  budget.tell(CREATED, { sequence: 1 });
  budget.tell(payee('late'), { sequence: 9 });
  t.is(budget.fold.counts.dropped, 2);
  t.is(budget.fold.queued.size, 0, 'no payload is stored');
});

test('budget.deleted as the missing first event deletes nothing, because it is invalid', t => {
  const budget = foldOf('b');
  budget.tell(payee('early'), { sequence: 2 });
  budget.tell(DELETE, { sequence: 1 });
  t.like(budget.head(), { sequence: 0, deleted: false, held: { why: 'gap', queued: 2 } });
  // It deletes an existing budget, even before the queue is drained.
  const known = foldOf('k', CREATED);
  known.tell(payee('early'), { sequence: 3 });
  known.tell(DELETE, { sequence: 2 });
  t.like(known.head(), { sequence: 2, deleted: true });
});

test('a budget event in the stream of a space deletes nothing', t => {
  const space = foldOf('s', SPACE, SPACE);
  space.tell(DELETE, { sequence: 4 });
  t.like(space.head(), { deleted: false, sequence: 1 });
});

test('an event that breaks the projections is reported with its error, and parked by the next fold', t => {
  const budget = foldOf('b', CREATED);
  // The fold has no declarations for this set.
  budget.fold.heads.set('b', { ...budget.head(), set: 'elsewhere' });
  const error = t.throws(() => budget.tell(payee('shop')), { instanceOf: BrokenDeliveryError });
  t.is(error.message, 'Event b.2 of b broke the projections');
  t.is(String(error.cause), 'Error: Not declared by any event: payees elsewhere/shop');

  const again = foldOf('b', CREATED);
  const broken = new Map([[queueEntryId(error.delivery), String(error.cause)]]);
  again.tell(payee('shop'), {}, { broken });
  const reason = `The projections failed: ${error.cause}`;
  t.like(again.head(), { sequence: 1, held: { why: 'parked', reason, queued: 1 } });
});

test('sequences that were given up count as applied, even if the event behind them is parked', t => {
  const isSkipped = (_subject: string, sequence: number, eventId: string | null) =>
    eventId === null && (sequence === 2 || sequence === 3);
  const budget = foldOf('b', CREATED);
  budget.tell(payee('shop'), { sequence: 4, schemaversion: 9 }, { isSkipped });
  const reason = 'Expected a known schemaversion of payee.added, got 9';
  t.like(budget.head(), { sequence: 3, eventId: null, held: { why: 'parked', reason } });
  t.deepEqual(budget.head().skipped, [[2, 3]]);
  const invalid = foldOf('b', CREATED);
  invalid.tell(
    { type: 'payee.deleted', data: { payeeId: 'none' } },
    { sequence: 4 },
    { isSkipped },
  );
  t.like(invalid.head(), { sequence: 3, eventId: null, held: { why: 'parked' } });
  invalid.tell(payee('late'), { sequence: 3, id: 'late' }, { isSkipped });
  t.is(invalid.fold.counts.duplicates, 1);
});

test('a record without a stream is quarantined', t => {
  const fold = createFold();
  deliver(fold, deliveryOf({ partition: 0, offset: 5, key: null, value: 'x' }), EMPTY_CONTEXT);
  t.is(fold.quarantined.length, 1);
  t.is(fold.heads.size, 0);
});

test('a record elsewhere than murmur2 of its key says is quarantined, with its offset and the setting', t => {
  const fold = createFold();
  const event = eventMaker('b')(CREATED);
  const value = JSON.stringify(event);
  const ownPartition = partitionOf('b', 4);
  for (const partition of [0, 1, 2, 3]) {
    const copy = { partition, offset: 7, key: 'b', value };
    deliver(fold, deliveryFromLog(copy, 4), EMPTY_CONTEXT);
  }
  t.like(fold.heads.get('b'), { partition: ownPartition, sequence: 1, held: null });
  t.is(fold.counts.applied, 1);
  t.deepEqual(
    fold.quarantined.map(one => one.partition),
    [0, 1, 2, 3].filter(partition => partition !== ownPartition),
  );
  const [first] = fold.quarantined;
  t.is(
    first?.reason,
    `Expected a record of b in partition ${ownPartition}, which murmur2 of its key names, got it at offset 7 of partition ${first?.partition}: set the partitioner of its producer to murmur2 (librdkafka: partitioner=murmur2_random)`,
  );
});

test('a record elsewhere is quarantined after the deletion of its budget too', t => {
  const { fold } = foldOf('b', CREATED, DELETE);
  const record = { partition: 1 - partitionOf('b', 2), offset: 0, key: 'b', value: '{}' };
  deliver(fold, deliveryFromLog(record, 2), EMPTY_CONTEXT);
  t.is(fold.quarantined.length, 1);
  t.is(fold.counts.dropped, 0);
});

test('a record without a sequence makes no stream, and parks one that has begun', t => {
  const fold = createFold();
  const eventOf = eventMaker('b');
  const values = ['junk', '{"order":7}', JSON.stringify(eventOf(CREATED)), 'more junk'];
  for (const [offset, value] of values.entries()) {
    deliver(fold, deliveryOf({ partition: 0, offset, key: 'b', value }), EMPTY_CONTEXT);
  }
  t.deepEqual(
    fold.quarantined.map(({ offset }) => offset),
    [0, 1],
  );
  t.like(fold.heads.get('b'), { sequence: 1, held: { why: 'parked', queued: 1 } });
});

test('unknown types and skipped events count without effect', t => {
  const budget = foldOf('b', CREATED);
  budget.tell({ type: 'goal.set', data: 1 } as unknown as Draft);
  budget.tell(payee('shop'), {}, { isSkipped: (_subject, sequence) => sequence === 3 });
  t.like(budget.head(), { sequence: 3, eventId: 'b.3', held: null });
  t.deepEqual(budget.head().skipped, [[3, 3]]);
  t.like(budget.fold.counts, { unknown: 1, dropped: 1 });
  t.is(budget.fold.documents.changes('payees').length, 0);
});
