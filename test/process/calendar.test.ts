import test from 'ava';
import {
  addDays,
  addMonths,
  dayOf,
  lastDayOf,
  monthsBetween,
  monthsFrom,
  utcDate,
} from '../../src/process/calendar.ts';

test('days and months go over the ends of months and years', t => {
  t.is(addDays('2024-02-28', 1), '2024-02-29');
  t.is(addDays('2025-01-01', -1), '2024-12-31');
  t.is(addMonths('2025-11', 3), '2026-02');
  t.is(addMonths('2025-01', -1), '2024-12');
  t.is(addMonths('2025-12', 0), '2025-12');
  t.is(monthsBetween('2024-11', '2026-02'), 15);
});

test('a day that a month does not have is its last one', t => {
  t.is(dayOf('2026-02', 31), '2026-02-28');
  t.is(dayOf('2024-02', 30), '2024-02-29');
  t.is(dayOf('2026-04', 5), '2026-04-05');
});

test('the last days of months, at both ends of the calendar too', t => {
  for (const day of ['0001-01-31', '0004-02-29', '1900-02-28', '2000-02-29', '9999-12-31']) {
    t.is(lastDayOf(day.slice(0, 7)), day);
  }
});

test('months from one to another, both included', t => {
  t.deepEqual(monthsFrom('0001-12', '0002-02'), ['0001-12', '0002-01', '0002-02']);
  t.deepEqual(monthsFrom('9999-12', '9999-12'), ['9999-12']);
});

test('the date of a moment is that of UTC', t => {
  t.is(utcDate(new Date('2026-03-31T23:30:00-02:00')), '2026-04-01');
});
