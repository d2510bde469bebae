// The line about a held stream.
import test from 'ava';
import { describeHeld } from '../../src/commands/operating/held-streams.ts';
import type { HeldStatus } from '../../src/projector/operate/held-status.ts';

const HELD: Omit<HeldStatus, 'since'> = {
  ...{ stream: 'home', partition: 0, sequence: 1, why: 'parked' as const, queued: 1, work: null },
  ...{ reason: 'Expected time to be a time that exists', event: null },
};

test('a held stream says since when, where the time is known', t => {
  const known = describeHeld({ ...HELD, since: '2026-03-14T09:26:53.589Z' });
  t.true(known.startsWith('home is held after sequence 1 since 2026-03-14T09:26:53.589Z (parked)'));
  const unknown = describeHeld({ ...HELD, since: '1970-01-01T00:00:00.000Z' });
  t.true(unknown.startsWith('home is held after sequence 1 (parked): Expected time'));
});
