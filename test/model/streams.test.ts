// Sequences, held streams and operators: how a stream treats events that do not follow the last one.
import test from 'ava';
import { account, createScene, furnish, payee, row, timeOf } from './scene.ts';

const RENAMED = { type: 'budget.renamed', data: { name: 'New' } } as const;
const MISSING = { type: 'payee.deleted', data: { payeeId: 'none' } } as const;
const DELETED = { type: 'budget.deleted', data: {} } as const;

function budgetNames(scene: ReturnType<typeof createScene>) {
  return scene.answers.budgets().budgets.map(({ name }) => name);
}

test('an event with an applied sequence is a duplicate, skipped and counted', t => {
  const scene = createScene();
  const events = [scene.eventOf('budget-1', RENAMED), scene.eventOf('budget-1', payee('shop'))];
  for (const event of [...events, ...events]) scene.model.deliver(event);
  t.is(scene.model.counts().duplicates, 2);
  t.is(scene.model.position('budget-1'), 3);
  t.deepEqual(scene.model.held(), []);
});

test('an older sequence with another id is a duplicate, and only the last one is a conflict', t => {
  const scene = furnish(createScene());
  const other = (sequence: number) =>
    scene.eventOf('budget-1', RENAMED, { sequence, id: `other-${sequence}` });
  t.is(scene.model.deliver(other(17)), 'duplicate');
  t.is(scene.model.deliver(other(18)), 'held');
  t.is(scene.model.held()[0]?.refusal, 'conflict');
  t.true(scene.model.skip('budget-1'));
  t.deepEqual(scene.model.held(), []);
  t.is(scene.model.deliver(other(18)), 'duplicate');
  t.deepEqual(budgetNames(scene), ['Ours']);
});

test('a gap holds the stream, and the missing event releases it', t => {
  const scene = createScene();
  const events = [RENAMED, account('home', true), row('row-1')].map(draft =>
    scene.eventOf('budget-1', draft),
  );
  const [second, third, fourth] = events as [
    (typeof events)[0],
    (typeof events)[0],
    (typeof events)[0],
  ];
  t.is(scene.model.deliver(fourth), 'held');
  t.is(scene.model.deliver(third), 'held');
  t.is(scene.answers.parkedSince('budget-1'), fourth.time);
  t.is(scene.answers.position('budget-1'), 1);
  t.is(scene.model.held()[0]?.refusal, null);
  t.false(scene.model.skip('budget-1'));
  t.is(scene.model.deliver(fourth), 'duplicate');
  t.is(scene.model.deliver(second), 'applied');
  t.deepEqual(scene.model.held(), []);
  t.is(scene.answers.parkedSince('budget-1'), null);
  t.is(scene.answers.position('budget-1'), 4);
});

test('of two different events with one sequence beyond a gap, the second is a conflict in its turn', t => {
  const scene = createScene();
  const [second, third, fourth] = [RENAMED, payee('a'), payee('b')].map(draft =>
    scene.eventOf('budget-1', draft),
  );
  const other = scene.eventOf('budget-1', payee('c'), { sequence: 3, id: 'other' });
  for (const event of [third, other, fourth, second]) if (event) scene.model.deliver(event);
  t.is(scene.model.position('budget-1'), 3);
  t.like(scene.model.held()[0], { refusal: 'conflict', eventId: 'other', waiting: 2 });
  scene.model.skip('budget-1');
  t.is(scene.model.position('budget-1'), 4);
  const names = scene.answers.payees('budget-1')?.payees;
  t.deepEqual(names, [
    { id: 'a', name: 'a' },
    { id: 'b', name: 'b' },
  ]);
});

test('a parked stream queues later events, others continue, and skip drops the invalid event for good', t => {
  const scene = createScene();
  const bad = scene.eventOf('budget-1', MISSING);
  scene.model.deliver(bad);
  t.is(scene.tell(RENAMED), 'held');
  t.is(
    scene.model.deliver(scene.eventOf('space-1', { type: 'space.renamed', data: { name: null } })),
    'applied',
  );
  t.is(scene.answers.parkedSince('budget-1'), bad.time);
  t.true(scene.model.retry('budget-1'));
  t.like(scene.model.held()[0], { eventId: bad.id, waiting: 2 });
  t.true(scene.model.skip('budget-1'));
  t.deepEqual(scene.model.held(), []);
  t.is(scene.answers.position('budget-1'), 3);
  t.deepEqual(budgetNames(scene), ['New']);
  t.is(scene.model.deliver(bad), 'duplicate');
});

test('the next invalid event of the queue parks the stream after a skip', t => {
  const scene = createScene();
  scene.tellAll(MISSING, RENAMED, MISSING, payee('shop'));
  scene.model.skip('budget-1');
  t.is(scene.answers.position('budget-1'), 3);
  t.is(scene.answers.parkedSince('budget-1'), timeOf(4));
});

test('unknown event types are ignored and counted, and their sequence counts', t => {
  const scene = createScene();
  const unknown = scene.eventOf('budget-1', { type: 'goal.set' }, { schemaversion: 9 });
  t.is(scene.model.deliver(unknown), 'ignored');
  t.is(scene.tell(RENAMED), 'applied');
  t.is(scene.model.counts().unknownTypes, 1);
  t.is(scene.answers.position('budget-1'), 3);
});

test('budget.deleted leaves nothing, and later events are dropped and counted', t => {
  const scene = furnish(createScene());
  scene.tell(DELETED);
  t.deepEqual(budgetNames(scene), []);
  t.is(scene.answers.accounts('budget-1'), null);
  const again = {
    type: 'budget.created',
    data: { spaceId: 'space-1', name: 'x', currency: 'EUR' },
  };
  t.is(scene.model.deliver(scene.eventOf('budget-1', again)), 'dropped');
  t.is(scene.model.counts().dropped, 1);
  t.is(scene.model.position('budget-1'), 19);
  t.deepEqual(scene.model.held(), []);
});

test('budget.deleted takes effect on a parked stream, and its own sequence becomes the last one', t => {
  const scene = createScene();
  scene.tellAll(MISSING, RENAMED, DELETED);
  t.deepEqual(scene.model.held(), []);
  t.deepEqual(budgetNames(scene), []);
  t.is(scene.model.position('budget-1'), 4);
});

test('budget.deleted takes effect beyond a gap', t => {
  const scene = createScene();
  const [missing, deletion, later] = [RENAMED, DELETED, payee('a')].map(draft =>
    scene.eventOf('budget-1', draft),
  );
  for (const event of [deletion, missing, later]) if (event) scene.model.deliver(event);
  t.deepEqual(budgetNames(scene), []);
  t.is(scene.model.position('budget-1'), 3);
  t.deepEqual(scene.model.counts(), { duplicates: 1, unknownTypes: 0, dropped: 1 });
});

test('space.member-removed takes effect on a held stream, and sequences and queue stay', t => {
  const scene = createScene();
  const bad = scene.eventOf('space-1', { type: 'space.created', data: { name: null } });
  const again = scene.eventOf('space-1', {
    type: 'space.member-added',
    data: { userId: 'user-1' },
  });
  const removal = scene.eventOf('space-1', {
    type: 'space.member-removed',
    data: { userId: 'user-1' },
  });
  scene.model.deliver(bad);
  scene.model.deliver(again);
  t.deepEqual(budgetNames(scene), ['Ours']);
  t.is(scene.model.deliver(removal), 'held');
  t.deepEqual(budgetNames(scene), []);
  t.like(scene.model.held()[0], { subject: 'space-1', eventId: bad.id, waiting: 3 });
  t.is(scene.model.position('space-1'), 2);
  scene.model.skip('space-1');
  t.is(scene.model.position('space-1'), 5);
  t.deepEqual(scene.model.users(), []);
});

test('a budget is unreachable until the first event of its space arrives', t => {
  const scene = createScene();
  const created = {
    type: 'budget.created',
    data: { spaceId: 'space-2', name: 'x', currency: 'EUR' },
  };
  scene.model.deliver(scene.eventOf('budget-2', created));
  t.is(scene.answers.position('budget-2'), null);
  scene.model.deliver(scene.eventOf('space-2', { type: 'space.created', data: { name: null } }));
  t.is(scene.answers.position('budget-2'), null);
  const added = { type: 'space.member-added', data: { userId: 'user-1' } };
  scene.model.deliver(scene.eventOf('space-2', added));
  t.is(scene.answers.position('budget-2'), 1);
});
