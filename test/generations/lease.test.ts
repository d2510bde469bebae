// Which leases of a verification count.
import test from 'ava';
import {
  acquiredLease,
  describeBrokenOff,
  isLeased,
  VERIFICATION_LEASE_MS,
  waiting,
} from '../../src/generations/lease.ts';
import type { GenerationRecord } from '../../src/store/registry.ts';

const NOW = new Date('2026-01-01T12:00:00Z');

test('a lease counts until it ends, and not where it is from before the clock was set back', t => {
  const leased = (ms: number | null) => {
    const verifyingUntil = ms === null ? null : new Date(NOW.getTime() + ms);
    return isLeased({ state: 'verifying', verifyingUntil } as GenerationRecord, NOW);
  };
  t.true(leased(1));
  t.true(leased(VERIFICATION_LEASE_MS));
  t.true(leased(VERIFICATION_LEASE_MS + 1000), 'clocks are set back a little');
  t.false(leased(0));
  t.false(leased(-1));
  t.false(leased(3_600_000));
  t.false(leased(null));
});

const build = (fields: Partial<GenerationRecord>) => fields as GenerationRecord;
const ENDED = new Date(NOW.getTime() - 1);

test('a build whose verifying process was killed goes back to building, though its obstacle stays the same', t => {
  const killed = build({ state: 'verifying', verifyingUntil: ENDED, waitsFor: 'held' });
  t.like(waiting(killed, { waitsFor: 'held' }, NOW), { state: 'building', waitsFor: 'held' });
  const idle = build({ state: 'building', verifyingUntil: null, waitsFor: 'held' });
  t.is(waiting(idle, { waitsFor: 'held' }, NOW), null);
});

test('after broken-off verifications their note stays, and an obstacle that is gone does not', t => {
  const lease = { lease: 'l', waitsFor: null, now: NOW };
  const note = describeBrokenOff(2, 'the test');
  const noted = (waitsFor: string | null) =>
    acquiredLease(build({ state: 'building', brokenOff: 2, waitsFor }), lease)?.waitsFor;
  t.is(noted(note), note);
  t.is(noted('Stream b1 is held'), null);
});
