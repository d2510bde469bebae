// The changes of each event of the catalogue, document by document: exactly these.
import test from 'ava';
import { newHead } from '../../projections/new-head.ts';
import { project } from '../../projections/project.ts';
import { createWorkingSet } from '../../projections/working-set.ts';
import { EVENT_SCHEMAS } from '../../schemas/generated/event-schemas.ts';
import type { DomainEvent } from '../../schemas/generated/events.ts';
import { timeOf } from '../model/scene.ts';
import { ACCOUNT_CASES } from './cases/accounts.ts';
import { BUDGET_CASES } from './cases/budgets.ts';
import { CATEGORY_CASES } from './cases/categories.ts';
import { CHANGED_CASES } from './cases/changed.ts';
import { ENVELOPE_CASES } from './cases/envelopes.ts';
import { PAYEE_CASES } from './cases/payees.ts';
import { TRANSACTION_CASES } from './cases/transactions.ts';
import { CREATED, createStory, eventMaker, FURNISHED, SET } from './story.ts';

const CASES = [
  ...BUDGET_CASES,
  ...ACCOUNT_CASES,
  ...CATEGORY_CASES,
  ...PAYEE_CASES,
  ...TRANSACTION_CASES,
  ...ENVELOPE_CASES,
  ...CHANGED_CASES,
];

for (const { title, given = [], when, changes } of CASES) {
  test(title, t => {
    const story = createStory([...FURNISHED, ...given]);
    t.deepEqual(story.tell(when), changes);
  });
}

test('budget.created creates a head with its own document set', t => {
  const story = createStory();
  story.tell(CREATED);
  t.deepEqual(story.head(), {
    id: 'budget-1',
    partition: 0,
    sequence: 1,
    eventId: 'budget-1.1',
    set: SET,
    held: null,
    budget: {
      spaceId: 'space-1',
      name: 'Ours',
      nameKey: 'ours',
      currency: 'EUR',
      createdAt: timeOf(1),
      archivedAt: null,
      lastDate: null,
      absolute: 0,
    },
    space: null,
    deleted: false,
  });
});

test('budget.deleted deletes everything except its id and last sequence', t => {
  const story = createStory(FURNISHED);
  story.tell({ type: 'budget.deleted', data: {} });
  t.is(story.store.documents.size, 0);
  t.deepEqual(story.head(), {
    id: 'budget-1',
    partition: 0,
    sequence: 19,
    eventId: null,
    set: null,
    held: null,
    budget: null,
    space: null,
    deleted: true,
  });
});

test('events of spaces change their name and their members', t => {
  const story = createStory([], 'space-1');
  const create = { type: 'space.created', data: { name: null } } as const;
  t.like(story.tell(create), { head: { name: null, members: [], createdAt: timeOf(1) } });
  const name = { head: { name: 'Home' } };
  t.deepEqual(story.tell({ type: 'space.renamed', data: { name: 'Home' } }), name);
  const add = (userId: string) => story.tell({ type: 'space.member-added', data: { userId } });
  const remove = (userId: string) => story.tell({ type: 'space.member-removed', data: { userId } });
  t.deepEqual(add('ann'), { head: { members: ['ann'] } });
  t.deepEqual(add('bob'), { head: { members: ['ann', 'bob'] } });
  t.deepEqual(add('ann'), {}, 'a second addition changes nothing');
  t.deepEqual(remove('ann'), { head: { members: ['bob'] } });
  t.deepEqual(remove('ann'), {}, 'a second removal changes nothing');
  t.is(story.head().set, null);
});

test('a space has at most 100,000 members', t => {
  const members = Array.from({ length: 100_000 }, (_, index) => `u${index}`);
  const space = { name: null, members, createdAt: timeOf(1) };
  const head = { ...newHead('space-1', 0), sequence: 1, space };
  const eventOf = eventMaker('space-1');
  const added = (userId: string) =>
    project(createWorkingSet(), head, {
      event: eventOf({ type: 'space.member-added', data: { userId } }) as DomainEvent,
      newSet: '',
    });
  t.like(added('u7'), { space: { members } }, 'somebody who is one already');
  t.deepEqual(added('ann'), {
    invalid: 'Expected at most 100000 members of a space, got one more',
  });
});

test('every type of the catalogue occurs above', t => {
  const covered = new Set<string>([
    ...CASES.map(({ when }) => when.type),
    'budget.created',
    'budget.deleted',
    'space.created',
    'space.renamed',
    'space.member-added',
    'space.member-removed',
  ]);
  t.deepEqual(
    Object.keys(EVENT_SCHEMAS).filter(type => !covered.has(type)),
    [],
  );
});
