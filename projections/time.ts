// Times of events, in the form in which they are served.

const SHOWN_LENGTH = '2024-05-01T12:00:00.000Z'.length;

/** Returns an RFC 3339 UTC time cut to milliseconds: `2024-05-01T12:00:00.000Z`. */
export function shownTime(time: string): string {
  if (time.length === SHOWN_LENGTH) return time;
  const fraction = time.slice(20, -1);
  return `${time.slice(0, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}
