// Which leases of a verification count.
import test from 'ava';
import { isLeased, VERIFICATION_LEASE_MS } from '../../src/generations/lease.ts';
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
