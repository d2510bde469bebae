// Times as people read them, in UTC.
import { type Html, html } from '../../page/html.ts';

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** As `20 November 2026`. */
export function formatDay(date: Date): string {
  return DAY.format(date);
}

/** As `20 Nov 2026, 15:49 UTC`. */
export function renderTime(date: Date): Html {
  return html`<time datetime="${date.toISOString()}">${TIME.format(date)} UTC</time>`;
}
