// When parking is taken for a bug (rules/projecting.md#parking-alarm).
import test from 'ava';
import { newHead } from '../../projections/new-head.ts';
import type { HeadChange } from '../../src/store/heads.ts';
import {
  newlyParked,
  parkingLimit,
  pausedMessage,
  tooManyParked,
} from '../../src/store/parking-limit.ts';

test('at least 20 streams and at least a tenth of all pause a generation', t => {
  const streams = [0, 19, 20, 67, 200, 201, 210, 211, 5000];
  t.deepEqual(streams.map(parkingLimit), [20, 20, 20, 20, 20, 21, 21, 22, 500]);
});

const held = (why: 'parked' | 'gap' | 'change') => ({ since: '', why, reason: why, queued: 1 });

function change(
  from: 'new' | 'free' | 'parked' | 'gap' | 'change',
  to: 'free' | 'parked' | 'gap',
): HeadChange {
  const head = newHead(`${from} to ${to}`, 0);
  const loaded = { ...head, held: from === 'free' || from === 'new' ? null : held(from) };
  const now = { ...head, held: to === 'free' ? null : held(to) };
  return { loaded: from === 'new' ? null : loaded, now };
}

test('a stream counts once it is parked, not when it stays so', t => {
  const changes = (['new', 'free', 'parked', 'gap', 'change'] as const).flatMap(from =>
    (['free', 'parked', 'gap'] as const).map(to => change(from, to)),
  );
  t.deepEqual(
    newlyParked(changes).map(({ now }) => now.id),
    ['new to parked', 'free to parked', 'gap to parked', 'change to parked'],
  );
});

test('the message says what happened and what to do', t => {
  t.is(
    pausedMessage('g1', tooManyParked(32, 67)),
    'g1 is paused: 32 of 67 streams would have been parked within 60 s; look at budgeting parked list and the log, then budgeting parked resume',
  );
});
