// Numbers, times and reasons as the operators' page shows them. Pure.

export function countWords(count: number): string {
  return Math.round(count).toLocaleString('en');
}

/** Small rates keep a digit. */
export function rateWords(perSecond: number): string {
  return perSecond < 10 ? String(Math.round(perSecond * 10) / 10) : countWords(perSecond);
}

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];

/** The two largest units: `2 h 5 min`, `12 s`. */
export function durationWords(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const first = UNITS.findIndex(([, size]) => whole >= size);
  if (first === -1) return '0 s';
  let rest = whole;
  const parts: string[] = [];
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(' ');
}

/** `12:04:05 UTC` */
export function clockWords(at: Date): string {
  return `${at.toISOString().slice(11, 19)} UTC`;
}

/** `2026-11-20 12:04:05 UTC`, of a time in ISO 8601. */
export function timeWords(time: string): string {
  return `${time.slice(0, 19).replace('T', ' ')} UTC`;
}

const QUOTED = /"(?:[^"\\]|\\.)*"?( and more)?/g;
const VALUES = /: expected .*$/s;

/**
 * A reason without the values in it: those of a document or of a malformed event may be somebody's own words. The
 * command line shows them to who may read the database anyway.
 */
export function reasonWords(reason: string): string {
  return reason.replace(VALUES, '').replaceAll(QUOTED, 'a text');
}
