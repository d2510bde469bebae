// Ids of the events that the product itself publishes.
import test from 'ava';
import { createEventBuilder } from '../../src/process/event-builder.ts';

const TIME = '2026-04-01T10:00:00.000Z';

test('an event is named after its stream, its number and the run', t => {
  const build = createEventBuilder({ subject: 'b1', source: '/test', first: 7, run: TIME });
  const ids = [1, 2].map(() => build('budget.deleted', {}, TIME).id);
  t.deepEqual(ids, [`b1-7-${TIME}`, `b1-8-${TIME}`]);
  const plain = createEventBuilder({ subject: 'b1', source: '/test' });
  t.is(plain('budget.deleted', {}, TIME).id, 'b1-1');
});

test('an id has at most 128 characters, and those of two long streams differ', t => {
  const idOf = (subject: string) =>
    createEventBuilder({ subject, source: '/test', run: TIME })('budget.deleted', {}, TIME).id;
  const [one, other] = ['a', 'b'].map(last => `${'x'.repeat(127)}${last}`);
  t.true(idOf(one ?? '').length <= 128);
  t.not(idOf(one ?? ''), idOf(other ?? ''));
  t.is(idOf('x'.repeat(101)).length, 128);
});
