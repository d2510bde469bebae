// Formats times for people, in UTC.
import { type Html, html } from '../../kit/html.ts';

// Created on first use: loading the language data would slow down each start.
let day: Intl.DateTimeFormat | undefined;
let time: Intl.DateTimeFormat | undefined;

/** Formats a day as `20 November 2026`. */
export function formatDay(date: Date): string {
  day ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return day.format(date);
}

/** Renders a time as `20 Nov 2026, 15:49 UTC`. */
export function renderTime(date: Date): Html {
  time ??= new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return html`<time datetime="${date.toISOString()}">${time.format(date)} UTC</time>`;
}
