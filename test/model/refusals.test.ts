// Every reason to refuse an event: it parks the stream for this reason and changes nothing.
import test from 'ava';
import type { Draft } from '../histories/row-actions.ts';
import { REFUSALS, type Refusal } from './refusal.ts';
import { REFUSAL_CASES } from './refusal-cases.ts';
import { createScene, furnish, payee, type Scene, transfer } from './scene.ts';
import type { LogEvent } from './stream.ts';

function everythingOf({ answers }: Scene) {
  return [
    answers.budgets(),
    answers.accounts('budget-1'),
    answers.transactions('budget-1'),
    answers.categories('budget-1', { include_hidden: true }),
    answers.payees('budget-1'),
    answers.labels('budget-1'),
    answers.month('budget-1', '2024-03'),
    answers.position('budget-1'),
  ];
}

for (const [title, cases] of REFUSAL_CASES) {
  test(`the model refuses: ${title}`, t => {
    for (const [refusal, , ...drafts] of cases) {
      for (const draft of drafts) {
        const scene = furnish(createScene());
        const before = everythingOf(scene);
        const event = scene.eventOf('budget-1', draft);
        t.is(scene.model.deliver(event), 'held', draft.type);
        t.deepEqual(scene.model.held(), [
          { subject: 'budget-1', since: event.time, refusal, eventId: event.id, waiting: 1 },
        ]);
        t.is(scene.answers.parkedSince('budget-1'), event.time);
        t.deepEqual(everythingOf(scene), before);
      }
    }
  });
}

test('any event before budget.created is invalid, even budget.deleted', t => {
  const { model, eventOf } = createScene();
  model.deliver(eventOf('budget-2', payee('shop')));
  model.deliver(eventOf('budget-3', { type: 'budget.deleted', data: {} }));
  t.deepEqual(
    model.held().map(held => held.refusal),
    ['before-created', 'before-created'],
  );
});

test('a second space.created is invalid', t => {
  const { model, eventOf } = createScene();
  model.deliver(eventOf('space-1', { type: 'space.created', data: { name: 'x' } }));
  t.is(model.held()[0]?.refusal, 'created-twice');
});

test('transaction.changed follows the rules of transaction.entered', t => {
  const scene = furnish(createScene());
  const changed = { ...transfer('row-1', ['home', 'cash'], { categoryId: 'food' }) } as Draft;
  scene.tell({ ...changed, type: 'transaction.changed' } as Draft);
  t.is(scene.model.held()[0]?.refusal, 'category-on-transfer');
});

const ENVELOPE_CASES: readonly (readonly [Refusal, Partial<LogEvent>, boolean])[] = [
  ['unknown-version', { schemaversion: 2 }, true],
  ['undecodable', {}, false],
  ['conflict', { sequence: 18, id: 'another' }, true],
];

for (const [refusal, changes, schemaValid] of ENVELOPE_CASES) {
  test(`a stream is parked for ${refusal}`, t => {
    const scene = furnish(createScene());
    const before = everythingOf(scene);
    const event = scene.eventOf('budget-1', payee('other'), changes);
    t.is(scene.model.deliver(event, { schemaValid }), 'held');
    t.is(scene.model.held()[0]?.refusal, refusal);
    t.deepEqual(everythingOf(scene), before);
  });
}

test('every reason has a case', t => {
  const covered = new Set<Refusal>([
    ...REFUSAL_CASES.flatMap(([, cases]) => cases.map(([refusal]) => refusal)),
    ...ENVELOPE_CASES.map(([refusal]) => refusal),
  ]);
  t.deepEqual(
    REFUSALS.filter(refusal => !covered.has(refusal)),
    [],
  );
});
