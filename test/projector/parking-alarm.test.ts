// When many streams park at once it is a bug: projections.md, held streams.
import test from 'ava';
import { createParkingAlarm, TooManyParkedError } from '../../src/projector/parking-alarm.ts';

function alarmAt() {
  let nowMs = 0;
  const alarm = createParkingAlarm(() => nowMs);
  return {
    pass(ms: number) {
      nowMs += ms;
    },
    /** Parks, as a chunk does that commits. */
    async park(parking: number, streams: number): Promise<void> {
      await alarm.check(parking, async () => streams);
      alarm.count(parking);
    },
    alarm,
  };
}

const TOO_MANY = { instanceOf: TooManyParkedError };

test('fewer than 20 streams may park, whatever their share', async t => {
  const { park } = alarmAt();
  await t.notThrowsAsync(park(19, 19));
  await t.throwsAsync(park(1, 20), TOO_MANY);
});

test('a small share of many streams may park', async t => {
  const { park } = alarmAt();
  await t.notThrowsAsync(park(20, 200));
  const message =
    '21 of 200 streams would be parked within 60 s: this looks like a bug, nothing was applied';
  await t.throwsAsync(park(1, 200), { ...TOO_MANY, message });
});

test('a window of a minute counts for itself', async t => {
  const { park, pass } = alarmAt();
  await park(19, 19);
  pass(60_000);
  await t.throwsAsync(park(1, 19), TOO_MANY, 'the minute is not over yet');
  pass(1);
  await t.notThrowsAsync(park(19, 19));
  await t.throwsAsync(park(1, 19), TOO_MANY);
});

test('a chunk that is tried again counts once', async t => {
  const { alarm, park } = alarmAt();
  for (let attempt = 0; attempt < 5; attempt += 1) await alarm.check(19, async () => 19);
  await t.notThrowsAsync(park(19, 19));
});

test('chunks that park nothing need not know how many streams there are', async t => {
  const { alarm } = alarmAt();
  await t.notThrowsAsync(alarm.check(0, () => Promise.reject(new Error('not asked'))));
});
