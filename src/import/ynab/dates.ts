// Dates and months as YNAB writes them; the order of day and month follows from the budget's settings.
import { isCalendarDate } from '../../../schemas/formats.ts';

export type DateOrder = 'YMD' | 'DMY' | 'MDY';

const PARTS = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})$/;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The order that a whole file keeps to; null where its dates could be read either way. */
export function detectDateOrder(texts: Iterable<string>): DateOrder | null {
  let dayFirst = 0;
  let monthFirst = 0;
  let open = 0;
  for (const text of texts) {
    const [, first = '', second = ''] = PARTS.exec(text) ?? [];
    if (first.length === 4) return 'YMD';
    if (Number(first) > 12) dayFirst += 1;
    else if (Number(second) > 12) monthFirst += 1;
    else if (Number(first) !== Number(second)) open += 1;
  }
  if (dayFirst + monthFirst === 0 && open > 0) return null;
  return dayFirst >= monthFirst ? 'DMY' : 'MDY';
}

/** `YYYY-MM-DD`; null where the text is no date in that order, or one that does not exist. */
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

/** `YYYY-MM` of `Jan 2026`, null where it is none. */
export function readMonth(text: string): string | null {
  const [, name = '', year = ''] = /^([A-Za-z]{3})[a-z]* (\d{4})$/.exec(text) ?? [];
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  return month === 0 ? null : `${year}-${String(month).padStart(2, '0')}`;
}
