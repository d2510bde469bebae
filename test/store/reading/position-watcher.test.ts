// Which waits a change of a head wakes.
import test from 'ava';
import { concerning } from '../../../src/store/reading/position-watcher.ts';

/** Anna waits for 5 of b1, which is in s1 if she reaches it already. */
const waits = (space: string | null) => ({
  subject: 'b1',
  sequence: 5,
  owner: 'anna',
  spaceId: () => space,
});
const budget = (subject: string, sequence: number | null) => ({
  ...{ subject, sequence },
  isSpace: false,
  members: null,
});
const space = (subject: string, members: readonly string[] | null) => ({
  ...{ subject, members },
  sequence: 9,
  isSpace: true,
});

test('a change of the awaited stream, from the awaited sequence on', t => {
  for (const [change, wakes] of [
    [budget('b1', 4), false],
    [budget('b1', 5), true],
    [budget('b1', null), true],
    [budget('b2', 5), false],
  ] as const) {
    t.is(concerning(change)(waits('s1')), wakes, JSON.stringify(change));
  }
});

test('a change of a space that may begin or end the reach of the user, and of no other', t => {
  for (const [change, wakes] of [
    [space('s1', ['ben']), true],
    [space('s2', ['ben', 'anna']), true],
    [space('s2', ['ben']), false],
    [space('s2', null), true],
  ] as const) {
    t.is(concerning(change)(waits('s1')), wakes, JSON.stringify(change));
    t.true(concerning(change)(waits(null)), 'as long as the space is unknown');
  }
});
