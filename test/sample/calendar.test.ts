import test from 'ava';
import { addDays, addMonths, dayOf, monthsBetween } from '../../src/sample/calendar.ts';

test('days and months continue across the ends of months and years', t => {
  t.is(addDays('2024-02-28', 1), '2024-02-29');
  t.is(addDays('2025-01-01', -1), '2024-12-31');
  t.is(addMonths('2025-11', 3), '2026-02');
  t.is(addMonths('2025-01', -1), '2024-12');
  t.is(addMonths('2025-12', 0), '2025-12');
  t.is(monthsBetween('2024-11', '2026-02'), 15);
});

test('a day beyond the end of a month becomes its last day', t => {
  t.is(dayOf('2026-02', 31), '2026-02-28');
  t.is(dayOf('2024-02', 30), '2024-02-29');
  t.is(dayOf('2026-04', 5), '2026-04-05');
});
