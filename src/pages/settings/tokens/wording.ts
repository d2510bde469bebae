// The words of the token pages: names of scopes, days and times in UTC.
import { SCOPES, type Scope } from '../../../../schemas/generated/api.ts';
import { type Html, html } from '../../kit/html.ts';

export const SCOPE_NAMES: Readonly<Record<Scope, string>> = {
  'budgets:read': 'Budgets',
  'accounts:read': 'Accounts and balances',
  'transactions:read': 'Transactions',
  'categories:read': 'Categories',
  'payees:read': 'Payees',
  'labels:read': 'Labels',
  'months:read': 'Budget months and envelopes',
};

export function nameScopes(scopes: readonly Scope[]): string {
  if (scopes.length === SCOPES.length) return 'Everything';
  return scopes.map(scope => SCOPE_NAMES[scope]).join(', ');
}

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
