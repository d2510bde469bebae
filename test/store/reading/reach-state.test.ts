// What a change makes stale, and what was read tells.
import test from 'ava';
import { createReachState, type ReachState } from '../../../src/store/reading/reach-state.ts';

const NONE = new Map<string, number>();

function reach(spaces: readonly string[], positions: Readonly<Record<string, number>>) {
  return { spaces, positions: new Map(Object.entries(positions)) };
}

const budget = (subject: string, spaceId: string | null = 's1') => ({
  subject,
  spaceId,
  isSpace: false,
  members: null,
});
const space = (subject: string, members: readonly string[] | null) => ({
  subject,
  members,
  isSpace: true,
  spaceId: null,
});

/** Anna and Ben share s1; Carl is alone in s2. */
function shared(): ReachState {
  const state = createReachState();
  for (const owner of ['anna', 'ben', 'carl']) state.add(owner);
  const stale = state.take();
  state.apply(
    new Map([
      ['anna', reach(['s1'], { a: 3, b: 5 })],
      ['ben', reach(['s1'], { a: 3, b: 5 })],
      ['carl', reach(['s2'], { c: 9 })],
    ]),
    NONE,
    stale,
  );
  return state;
}

test('a change of a budget makes its position stale, one of a foreign budget nothing', t => {
  const state = shared();
  t.false(state.isStale());
  state.note(budget('elsewhere', 's9'));
  state.note(budget('held before its creation', null));
  t.false(state.isStale());
  state.note(budget('a'));
  state.note(budget('a'));
  t.deepEqual(state.take(), { owners: [], budgets: ['a'] });
  t.false(state.isStale());
});

test('a position goes to all who reach the budget, and never steps back', t => {
  const state = shared();
  const asked = { owners: [], budgets: ['a', 'c'] };
  const changed = state.apply(new Map(), new Map(Object.entries({ a: 4, c: 8 })), asked);
  t.deepEqual(
    [...changed],
    [
      ['anna', [{ budgetId: 'a', position: 4 }]],
      ['ben', [{ budgetId: 'a', position: 4 }]],
    ],
  );
  t.is(state.positionsOf('carl').get('c'), 9);
  const again = { owners: ['carl'], budgets: [] };
  t.is(state.apply(new Map([['carl', reach(['s2'], { c: 8 })]]), NONE, again).size, 0);
  t.is(state.positionsOf('carl').get('c'), 9, 'by a whole reading neither');
});

test('a deleted budget is gone, once', t => {
  const state = shared();
  const asked = { owners: [], budgets: ['a'] };
  const gone = [{ budgetId: 'a', position: null }];
  t.deepEqual(
    [...state.apply(new Map(), NONE, asked)],
    [
      ['anna', gone],
      ['ben', gone],
    ],
  );
  t.is(state.apply(new Map(), NONE, asked).size, 0);
});

test('a new budget of a known space, and a change of members, make the users stale', t => {
  const state = shared();
  state.note(budget('new'));
  t.deepEqual(state.take(), { owners: ['anna', 'ben'], budgets: [] });
  state.note(space('s1', ['anna', 'carl', 'nobody who is followed']));
  t.deepEqual(new Set(state.take().owners), new Set(['anna', 'ben', 'carl']));
  state.note(space('s9', ['dora']));
  t.false(state.isStale());
  state.note(null);
  t.deepEqual(state.take().owners, ['anna', 'ben', 'carl']);
});

test('a new budget that one user was read with already reaches the others of its space too', t => {
  const state = shared();
  state.remove('anna');
  state.add('anna');
  const read = new Map([['anna', reach(['s1'], { a: 3, b: 5, new: 1 })]]);
  state.apply(read, NONE, state.take());
  state.note(budget('new'));
  t.deepEqual(state.take(), { owners: ['ben'], budgets: ['new'] });
});

test('the end of membership: gone for that user alone', t => {
  const state = shared();
  const asked = { owners: ['ben'], budgets: [] };
  const changed = state.apply(new Map([['ben', reach([], {})]]), NONE, asked);
  t.deepEqual(
    [...changed],
    [
      [
        'ben',
        [
          { budgetId: 'a', position: null },
          { budgetId: 'b', position: null },
        ],
      ],
    ],
  );
  state.note(space('s1', ['anna']));
  t.deepEqual(state.take().owners, ['anna'], 'ben no longer has the space');
});

test('what could not be read is stale again, unless nobody follows it', t => {
  const state = shared();
  state.note(budget('a'));
  state.note(space('s2', []));
  state.note(space('s1', ['ben']));
  const stale = state.take();
  state.remove('ben');
  state.putBack(stale);
  t.deepEqual(new Set(state.take().owners), new Set(['carl', 'anna']));
  state.remove('anna');
  state.note(budget('a'));
  t.false(state.isStale(), 'nobody reaches it any more');
});

test('a user who is removed while it is read stays unknown', t => {
  const state = shared();
  state.remove('anna');
  const asked = { owners: ['anna'], budgets: [] };
  t.is(state.apply(new Map([['anna', reach(['s1'], { a: 3 })]]), NONE, asked).size, 0);
  t.is(state.positionsOf('anna').size, 0);
});

test('what changes while a user is first read is stale afterwards', t => {
  const changed = (...changes: readonly Parameters<ReachState['note']>[0][]) => {
    const state = shared();
    state.add('dora');
    const stale = state.take();
    for (const change of changes) state.note(change);
    state.apply(new Map([['dora', reach(['s3'], { d: 3 })]]), NONE, stale);
    return state.take();
  };
  t.deepEqual(changed(), { owners: [], budgets: [] });
  t.deepEqual(changed(budget('d', 's3')), { owners: [], budgets: ['d'] });
  t.deepEqual(changed(budget('new', 's3')), { owners: ['dora'], budgets: [] });
  t.deepEqual(changed(space('s3', ['eve'])), { owners: ['dora'], budgets: [] }, 'she has left');
  t.deepEqual(changed(budget('new', 's3'), budget('new', null)).owners, ['dora']);
  t.deepEqual(changed(budget('elsewhere', 's9')), { owners: [], budgets: [] });
});

test('a reading that follows one that failed finds what changed meanwhile', t => {
  const state = shared();
  state.add('dora');
  const stale = state.take();
  state.note(budget('d', 's3'));
  state.putBack(stale);
  const again = state.take();
  state.apply(new Map([['dora', reach(['s3'], { d: 4 })]]), NONE, again);
  t.false(state.isStale(), 'the second reading began after the change');
});
