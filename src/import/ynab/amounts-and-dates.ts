// Parses amounts of YNAB, with a currency sign, separators, and the number of decimals of the budget's settings; and its
// dates and months: the settings define the order of day and month.
import type { Hundredths } from '../../../projections/documents.ts';
import { parseMoney } from '../../../projections/money.ts';
import { isCalendarDate } from '../../../schemas/formats.ts';

export interface AmountFormat {
  /** The decimal mark; empty without decimals. */
  readonly mark: '.' | ',' | '-' | '/' | '';
  readonly decimals: 0 | 2 | 3;
}

/** From the first digit to the last. */
const DIGITS = /\d(?:.*\d)?/;
const GROUPED = /^\d[\d.,'’/\s-]*$/;
const MARKS = ['.', ',', '-', '/'] as const;
/** Most digits before the decimals, so that every amount in hundredths is a safe integer; a longer one is invalid. */
export const WHOLE_DIGITS_MAX = 13;

/** Detects the format of a whole file, in which all amounts have the same number of decimals, also zero. */
export function detectAmounts(texts: Iterable<string>): AmountFormat {
  const all = [...texts].map(text => DIGITS.exec(text)?.[0] ?? '');
  const mostFrequent = (ends: (mark: string) => string) => {
    const counts = MARKS.map(mark => {
      const pattern = new RegExp(ends(mark));
      return { mark, times: all.filter(text => pattern.test(text)).length };
    });
    const most = counts.reduce((one, other) => (other.times > one.times ? other : one));
    return most.times > 0 ? most.mark : null;
  };
  const two = mostFrequent(mark => `[${mark}]\\d\\d$`);
  if (two !== null) return { mark: two, decimals: 2 };
  // A grouped number never begins with a zero, so three digits after a leading zero are decimals.
  const three = mostFrequent(mark => `^0[${mark}]\\d{3}$`);
  return three === null ? { mark: '', decimals: 0 } : { mark: three, decimals: 3 };
}

/** Returns null if the text is no amount of that format, or has a third decimal other than 0. */
export function readAmount(text: string, { mark, decimals }: AmountFormat): Hundredths | null {
  if (text === '') return 0;
  const found = DIGITS.exec(text);
  if (found === null || !GROUPED.test(found[0])) return null;
  const [digits] = found;
  const sign = signOf(text.slice(0, found.index), text.slice(found.index + digits.length));
  if (sign === null) return null;
  const at = decimals === 0 ? digits.length : digits.length - decimals - 1;
  const fraction = digits.slice(at + 1);
  if (decimals > 0 && (digits[at] !== mark || !/^\d+$/.test(fraction))) return null;
  const whole = wholeDigits(digits.slice(0, at), mark);
  if (whole === null || (decimals === 3 && !fraction.endsWith('0'))) return null;
  return parseMoney(`${sign}${whole}.${fraction.slice(0, 2).padEnd(2, '0')}`);
}

/** Accountants write a negative amount in parentheses. Returns null for a minus behind the digits, and for two signs. */
function signOf(before: string, after: string): '-' | '' | null {
  const [left, right] = [before, after].map(text => text.replaceAll(/[^\p{Dash}()]/gu, ''));
  if (left === '' && right === '') return '';
  const isMinus = right === '' && /^\p{Dash}$/u.test(left ?? '');
  return isMinus || (left === '(' && right === ')') ? '-' : null;
}

/** Returns the digits without separators of thousands (or hundreds, as in India); null if the grouping is invalid. */
function wholeDigits(text: string, mark: string): string | null {
  if (mark !== '' && text.includes(mark)) return null;
  const groups = text.split(/[.,'’/\s]/);
  const isGrouped = groups.slice(1).every(group => /^\d{2,3}$/.test(group));
  const digits = groups.join('');
  const ends = groups.length === 1 || groups.at(-1)?.length === 3;
  return isGrouped && ends && /^\d+$/.test(digits) && digits.length <= WHOLE_DIGITS_MAX
    ? digits
    : null;
}

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
