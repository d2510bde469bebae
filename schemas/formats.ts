// The formats that the schemas name: what each takes, in words and as a check.

/** Largest absolute amount of money, in hundredths: 2^51 (rules/events.md#the-money-guard). */
export const HUNDREDTHS_MAX = 2 ** 51;

export interface Format {
  /** Completes the sentence "Expected x to be …". */
  readonly words: string;
  /** Absent where the pattern beside the format says all; that pattern is what other validators see. */
  readonly check?: (text: string) => boolean;
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const MONTH = /^[0-9]{4}-(?:0[1-9]|1[0-2])$/;
const TIME_OF_DAY = /^[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?$/;
const OFFSET = /(?:[Zz]|([+-])((?:[01][0-9]|2[0-3]):[0-5][0-9]))$/;
const SEQUENCE_MAX = 2 ** 31 - 1;
const MONEY = /^-?(?:0|[1-9][0-9]{0,13})\.[0-9]{2}$/;
const URI_REFERENCE = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$/;
// Shorter money cannot reach the limit, which has 17 characters.
const MONEY_LENGTH_SAFE = 16;

/** A date of the proleptic Gregorian calendar, `YYYY-MM-DD`, years 0001 to 9999. */
export function isCalendarDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const year = Number(text.slice(0, 4));
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
  return year >= 1 && day >= 1 && day <= days;
}

/** A month, `YYYY-MM`, from 0001-01 to 9999-12. */
export function isCalendarMonth(text: string): boolean {
  return MONTH.test(text) && !text.startsWith('0000');
}

/**
 * Returns an RFC 3339 time with any offset and fraction in UTC, with `T` and `Z`, the fraction kept; null for another
 * text, and outside the years 0001 to 9999. A leap second (`:60`) is refused: no clock of ours can hold it, and producers
 * that smear never write one.
 */
export function utcTime(text: string): string | null {
  const [offset = '', sign, minutes] = OFFSET.exec(text) ?? [];
  const local = text.slice(0, text.length - offset.length);
  const date = local.slice(0, 10);
  if (offset === '' || !isCalendarDate(date) || !TIME_OF_DAY.test(local.slice(10))) return null;
  if (minutes === undefined) return `${date}T${local.slice(11)}Z`;
  const moment = new Date(`${date}T${local.slice(11, 19)}${sign}${minutes}`);
  const utc = moment.toISOString();
  return isCalendarDate(utc.slice(0, 10)) ? `${utc.slice(0, 19)}${local.slice(19)}Z` : null;
}

/** A moment in UTC: RFC 3339 with `T` and `Z`, any fraction. */
export function isUtcTime(text: string): boolean {
  return utcTime(text) === text;
}

/** Money in major units: two digits, spelled in the only way, at most HUNDREDTHS_MAX either way. */
export function isMoney(text: string): boolean {
  if (!MONEY.test(text) || text === '-0.00') return false;
  if (text.length <= MONEY_LENGTH_SAFE) return true;
  return Math.abs(Number(text.replace('.', ''))) <= HUNDREDTHS_MAX;
}

/** Text without half of a surrogate pair: JSON can spell one, UTF-8 and the store cannot. */
export function isWellFormed(text: string): boolean {
  // The language level of the compiler is below that of every supported Node.
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}

function isPort(text: string): boolean {
  return Number(text) >= 1 && Number(text) <= 65_535;
}

export const FORMATS: Readonly<Record<string, Format>> = {
  id: { words: 'an id of 1 to 128 characters from A–Z a–z 0–9 _ - . : ~' },
  text: { words: 'well-formed Unicode text', check: isWellFormed },
  money: {
    words:
      'money with exactly two digits such as "-12.30", without plus, leading zeros or -0.00, at most 22517998136852.48',
    check: isMoney,
  },
  'calendar-date': {
    words: 'a date that exists, YYYY-MM-DD from 0001-01-01 to 9999-12-31',
    check: isCalendarDate,
  },
  'calendar-month': {
    words: 'a month, YYYY-MM from 0001-01 to 9999-12',
    check: isCalendarMonth,
  },
  'month-or-current': {
    words: 'a month, YYYY-MM from 0001-01 to 9999-12, or current',
  },
  'utc-time': {
    words: 'a time that exists in UTC such as "2026-03-14T09:26:53.589Z"',
    check: isUtcTime,
  },
  'time-with-offset': {
    words: 'a time that exists such as "2026-03-14T09:26:53.589Z" or with an offset such as +01:00',
    check: text => utcTime(text) !== null,
  },
  'decimal-number': {
    words: 'an integer from 1 to 2147483647, or the same as decimal text',
    check: text => Number(text) <= SEQUENCE_MAX,
  },
  'json-content-type': { words: 'application/json, with or without charset=utf-8' },
  'uri-reference': {
    words: 'a URI reference',
    check: text => URI_REFERENCE.test(text),
  },
  brokers: {
    words: 'addresses such as kafka-1:9092,kafka-2:9092, with ports from 1 to 65535',
    // kafkajs takes what stands before the first colon for the name, so no IPv6 address can be one.
    check: text => text.split(',').every(broker => isPort(/^[^:/]+:(.*)$/.exec(broker)?.[1] ?? '')),
  },
  url: { words: 'an absolute address', check: text => URL.canParse(text) },
};
