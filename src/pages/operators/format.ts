// Formats numbers and times for the operators' page. Pure.

export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en');
}

/** Rates below 10 keep one decimal. */
export function formatRate(perSecond: number): string {
  return perSecond < 10 ? String(Math.round(perSecond * 10) / 10) : formatCount(perSecond);
}

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];

/** Formats a duration in its two largest units, such as `2 h 5 min` or `12 s`. */
export function formatDuration(seconds: number): string {
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

/** Formats a time as `12:04:05 UTC`. */
export function formatClock(at: Date): string {
  return `${at.toISOString().slice(11, 19)} UTC`;
}

/** Formats a time in ISO 8601 as `2026-11-20 12:04:05 UTC`. */
export function formatTime(time: string): string {
  return `${time.slice(0, 19).replace('T', ' ')} UTC`;
}
