// Sends a settings page: the frame around its content, and its content policy; and the notice of the last action. Or leads to
// another page.
import { parseQuery } from '../../http/query-string.ts';
import type { Context } from '../../http/request-state.ts';
import { type Html, html } from '../kit/html.ts';
import { renderFrame, renderSiteBar } from '../kit/page-parts.ts';

/** The signed-in person. */
export interface SignedIn {
  readonly user: string;
  /** Each form of the session holds it; a form without it is refused as forged. */
  readonly formKey: string;
}

export type ScriptName = 'copy' | 'choose';

export interface SettingsPage {
  readonly title: string;
  readonly content: Html;
  /** Default 200. */
  readonly status?: number;
  /** Absent if nobody is signed in. */
  readonly session?: SignedIn;
  /** The names of its scripts; none by default. Each page also works without them. */
  readonly scripts?: readonly ScriptName[];
  /** The URL that the browser loads at once by itself. */
  readonly next?: string;
}

/** Leads the browser to another address, which it gets. */
export function seeOther(ctx: Context, address: string): void {
  ctx.status = 303;
  ctx.set('Location', address);
}

export function sendPage(ctx: Context, page: SettingsPage): void {
  ctx.status = page.status ?? 200;
  ctx.set('Content-Security-Policy', page.scripts ? SETTINGS_POLICY_WITH_SCRIPT : SETTINGS_POLICY);
  ctx.type = 'html';
  ctx.body = renderSettingsPage(page).html;
}

export function renderSettingsPage({
  title,
  content,
  status,
  session,
  scripts = [],
  next,
}: SettingsPage): Html {
  // A screen reader reads the title first, so the title says that the page is an error.
  const mark = status !== undefined && status >= 400 ? 'Error: ' : '';
  const head = html`<link rel="stylesheet" href="/settings/style.css">
${next === undefined ? null : html`<meta http-equiv="refresh" content="0;url=${next}">`}
${scripts.map(name => html`<script src="/settings/${name}.js" defer></script>`)}`;
  const body = html`${renderSiteBar(session ? renderSignOut(session) : null)}
<main id="main">
<h1>${title}</h1>
${content}
</main>`;
  return renderFrame({ title: `${mark}${title} – Budgeting`, head, body });
}

function renderSignOut({ user, formKey }: SignedIn): Html {
  return html`<form method="post" action="/settings/sign-out">
<span class="quiet">Signed in as <bdi>${user}</bdi></span>
<input type="hidden" name="form_key" value="${formKey}">
<button class="plain">Sign out</button>
</form>`;
}

function policy(script: string): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    `script-src ${script}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Allows the style sheet and forms of this site, but no script. */
export const SETTINGS_POLICY = policy("'none'");
const SETTINGS_POLICY_WITH_SCRIPT = policy("'self'");

/** The address only names the sentence; its own text is never shown. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['ended', 'Your session has ended. Nothing was changed. Sign in again to go on.'],
  ['signed-out', 'You are signed out.'],
  ['signed-out-everywhere', 'You are signed out in every browser. Your tokens stay valid.'],
  ['revoked', 'The token is revoked. It is refused from now on.'],
  [
    'repeated',
    'That form was sent before, so nothing was made this time. A token that it made is in the list.',
  ],
]);

export function renderNotice(query: string): Html | null {
  const word = parseQuery(query).find(({ name }) => name === 'notice')?.value ?? '';
  const text = NOTICES.get(word);
  return text === undefined ? null : html`<p class="notice" role="status">${text}</p>`;
}
