// Amounts as YNAB writes them: with a currency sign, separators and as many decimals as the budget's settings say.
import type { Hundredths } from '../../../projections/documents.ts';
import { parseMoney } from '../../../projections/money.ts';

export interface AmountFormat {
  /** Empty where there are no decimals. */
  readonly mark: '.' | ',' | '-' | '';
  readonly decimals: 0 | 2 | 3;
}

/** From the first digit to the last. */
const DIGITS = /\d(?:.*\d)?/;
const GROUPED = /^\d[\d.,'’/\s-]*$/;
const MARKS = ['.', ',', '-'] as const;
/** Digits before the decimals: all such amounts are safe integers in hundredths. */
const WHOLE_DIGITS_MAX = 13;

/** One format for a whole file: each amount has the same number of decimals, zero too. */
export function detectAmounts(texts: Iterable<string>): AmountFormat {
  const all = [...texts].map(text => DIGITS.exec(text)?.[0] ?? '');
  const mostly = (ends: (mark: string) => string) => {
    const counts = MARKS.map(mark => {
      const pattern = new RegExp(ends(mark));
      return { mark, times: all.filter(text => pattern.test(text)).length };
    });
    const most = counts.reduce((one, other) => (other.times > one.times ? other : one));
    return most.times > 0 ? most.mark : null;
  };
  const two = mostly(mark => `[${mark}]\\d\\d$`);
  if (two !== null) return { mark: two, decimals: 2 };
  // No grouped number begins with a zero: these three digits are decimals.
  const three = mostly(mark => `^0[${mark}]\\d{3}$`);
  return three === null ? { mark: '', decimals: 0 } : { mark: three, decimals: 3 };
}

/** Null where the text is no amount of that format with at most two decimals that count. */
export function readAmount(text: string, { mark, decimals }: AmountFormat): Hundredths | null {
  if (text === '') return 0;
  const found = DIGITS.exec(text);
  if (found === null || !GROUPED.test(found[0])) return null;
  const [digits] = found;
  if (/[-−]/.test(text.slice(found.index + digits.length))) return null;
  const sign = /[-−]/.test(text.slice(0, found.index)) ? '-' : '';
  const at = decimals === 0 ? digits.length : digits.length - decimals - 1;
  const fraction = digits.slice(at + 1);
  if (decimals > 0 && (digits[at] !== mark || !/^\d+$/.test(fraction))) return null;
  const whole = wholeDigits(digits.slice(0, at), mark);
  if (whole === null || (decimals === 3 && !fraction.endsWith('0'))) return null;
  return parseMoney(`${sign}${whole}.${fraction.slice(0, 2).padEnd(2, '0')}`);
}

/** Without separators: those stand for thousands, or for hundreds as in India, and never are the decimal mark. */
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
