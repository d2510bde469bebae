// Parses dates and months of YNAB; the budget's settings define the order of day and month.
import { isCalendarDate } from '../../../schemas/formats.ts';

export type DateOrder = 'YMD' | 'DMY' | 'MDY';

const PARTS = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})$/;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Detects the order of a whole file; returns null if its dates are ambiguous. */
export function detectDateOrder(texts: Iterable<string>): DateOrder | null {
  let dayFirst = 0;
  let monthFirst = 0;
  let ambiguous = 0;
  for (const text of texts) {
    const [, first = '', second = ''] = PARTS.exec(text) ?? [];
    if (first.length === 4) return 'YMD';
    if (Number(first) > 12) dayFirst += 1;
    else if (Number(second) > 12) monthFirst += 1;
    else if (Number(first) !== Number(second)) ambiguous += 1;
  }
  if (dayFirst + monthFirst === 0 && ambiguous > 0) return null;
  return dayFirst >= monthFirst ? 'DMY' : 'MDY';
}

/** Returns `YYYY-MM-DD`; null if the text is no date in that order, or the date does not exist. */
export function readDate(text: string, order: DateOrder): string | null {
  const [, first = '', second = '', third = ''] = PARTS.exec(text) ?? [];
  const byOrder = {
    YMD: [first, second, third],
    DMY: [third, second, first],
    MDY: [third, first, second],
  };
  const [year = '', month = '', day = ''] = byOrder[order];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : null;
}

/** Returns `2026-01` for `Jan 2026`; null if the text is no month. */
export function readMonth(text: string): string | null {
  const [, name = '', year = ''] = /^([A-Za-z]{3})[a-z]* (\d{4})$/.exec(text) ?? [];
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  return month === 0 ? null : `${year}-${String(month).padStart(2, '0')}`;
}
