// Routes the pages for people: the landing page at the root, sign-in and API tokens below /settings, with their style sheet
// and scripts.
import { Router } from '@koa/router';
import helmet from 'helmet';
import { BASE_PATH } from '../../http/create-router.ts';
import { boundInFlight } from '../../http/middleware/bound-in-flight.ts';
import type { Middleware, RequestState } from '../../http/request-state.ts';
import { publicDocument } from '../../http/routes/public-document.ts';
import { html } from '../kit/html.ts';
import { COPY_SCRIPT } from '../kit/page-parts.ts';
import { CONTROLS_STYLE, STYLE } from '../kit/style.ts';
import { byMethod, pageErrors, signInLimit } from './middleware.ts';
import type { SettingsOptions } from './options.ts';
import { notAvailable, notFound } from './page-error.ts';
import { renderSettingsPage, SETTINGS_POLICY, seeOther } from './send-page.ts';
import { createSessions } from './session.ts';
import { signInByLink } from './sign-in/by-link.ts';
import { signInByOidc } from './sign-in/by-oidc.ts';
import { signOutPages } from './sign-out.ts';
import { tokenPages } from './tokens/token-pages.ts';

/** Returns a middleware that serves `/` and `/settings`, and calls `next` for all other paths. */
export function createPages(options: SettingsOptions): Middleware {
  warnOfPlainHttp(options);
  const answer = compose(pageHeaders(), pageErrors(options.logger), createRouter(options));
  return async function pages(ctx, next) {
    const { path } = ctx.state;
    const isOwn = path === '/' || path === '/settings' || path.startsWith('/settings/');
    return isOwn ? await answer(ctx, next) : await next();
  };
}

function warnOfPlainHttp({ config, logger }: SettingsOptions): void {
  if (config.oidc === null) return;
  const { protocol, hostname } = new URL(config.oidc.issuer);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol === 'http:' && !isLocal) {
    logger.warn(
      'OIDC_ISSUER is plain HTTP: anybody between here and the issuer can sign in as anybody',
    );
  }
}

function createRouter(options: SettingsOptions): Middleware {
  const { config, logger } = options;
  const sessions = createSessions(options);
  const limit = signInLimit(options);
  // Paths match exactly: case and trailing slashes matter.
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  for (const [path, page] of Object.entries(documents())) router.all(path, byMethod({ GET: page }));
  router.all('/settings', byMethod({ GET: seeTokens }));
  const capacity = boundInFlight(options.bounds.pages, notAvailable);
  const withSession = {
    ...tokenPages(options, sessions),
    ...signOutPages(sessions, logger),
  };
  for (const [path, page] of Object.entries(withSession)) router.all(path, capacity, page);
  const signIn = config.oidc
    ? signInByOidc(options, config.oidc, sessions)
    : signInByLink(options, sessions);
  for (const [path, page] of Object.entries(signIn)) router.all(path, limit, page);
  const routes = router.routes();
  return async function settings(ctx, _next) {
    await routes(ctx as never, async () => {
      throw notFound();
    });
  };
}

function documents(): Readonly<Record<string, Middleware>> {
  const headers = { 'Content-Security-Policy': SETTINGS_POLICY };
  return {
    '/': publicDocument({ text: renderLanding(), type: 'html', headers }),
    '/settings/style.css': publicDocument({ text: SETTINGS_STYLE, type: 'css' }),
    '/settings/copy.js': publicDocument({ text: COPY_SCRIPT, type: 'js' }),
    '/settings/choose.js': publicDocument({ text: CHOOSE_SCRIPT, type: 'js' }),
  };
}

const seeTokens: Middleware = async ctx => {
  seeOther(ctx, '/settings/tokens');
};

/** Sets the security headers, except the content policy, which each page sets. Nothing is cached by default. */
function pageHeaders(): Middleware {
  const setHeaders = helmet({
    contentSecurityPolicy: false,
    // With `no-referrer` browsers would send `Origin: null` with a form.
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    // Plain HTTP must stay usable; the proxy that terminates HTTPS sets this header.
    strictTransportSecurity: false,
  });
  return async function pageHeaders(ctx, next) {
    setHeaders(ctx.req, ctx.res, () => {});
    ctx.set('Cache-Control', 'no-store');
    await next();
  };
}

function compose(outer: Middleware, inner: Middleware, innermost: Middleware): Middleware {
  return (ctx, next) =>
    outer(ctx, async () => await inner(ctx, async () => await innermost(ctx, next)));
}

/** The landing page at the root: describes the service and links to its parts. */
function renderLanding(): string {
  const content = html`<p>Your budgets, accounts, transactions, categories, payees, labels, budget months and envelopes, over HTTP. This service only reads: it changes nothing.</p>
<dl>
<div class="card"><dt><a href="/settings/tokens">API tokens</a></dt>
<dd>Create a token, see when it was last used, revoke it. A program that reads your budgets needs one.</dd></div>
<div class="card"><dt><a href="/docs">API docs</a></dt>
<dd>Every endpoint with its parameters and answers, and how to begin.</dd></div>
<div class="card"><dt><a href="${BASE_PATH}/openapi.json">API description</a></dt>
<dd>The same as an OpenAPI 3.1 document, for programs.</dd></div>
</dl>`;
  return renderSettingsPage({ title: 'Budgeting Read API', content }).html;
}

/** The common style, with additions for forms and lists. */
const SETTINGS_STYLE = `${STYLE}${CONTROLS_STYLE}
.bar form { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; }
.hint { color: var(--quiet); }
button.danger { border-color: var(--danger); background: var(--danger); }
.button.danger { border-color: var(--danger); background: transparent; color: var(--danger); }
form > *, .field { margin: 1.25rem 0; }
.bar form > * { margin: 0; }
.bar button { padding: 0.2rem 0.7rem; }
.field label, legend { font-weight: 600; }
.field label, .hint, .problem { display: block; }
legend { padding: 0; }
fieldset { margin: 1.75rem 0; padding: 0; border: 0; min-width: 0; }
.choice { display: flex; gap: 0.6rem; align-items: baseline; padding: 0.3rem 0; }
.choice input { flex: none; width: 1.1rem; height: 1.1rem; margin: 0; transform: translateY(0.15rem); accent-color: var(--link); }
.boxes { margin-left: 1.7rem; columns: 18rem; }
.boxes .choice { break-inside: avoid; }
.problem { color: var(--danger); font-weight: 600; }
.notice.bad { border-color: var(--danger); }
.card dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 0.5rem 1.5rem; margin: 0.75rem 0; }
.card dt { margin: 0; color: var(--quiet); font-weight: 400; }
.card dd { margin: 0; }
.state.expired { color: var(--warm); }
.state.revoked { color: var(--danger); }
.value code, .copied code { user-select: all; }
.budgets li { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 0.25rem 1.5rem; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
.copied { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; }
button.small { padding: 0.1rem 0.6rem; font-size: 0.85rem; }
table { width: 100%; margin: 1rem 0; border-collapse: collapse; table-layout: fixed; overflow-wrap: break-word; }
th:first-child, th:last-child { width: 26%; }
th:nth-child(2) { width: 20%; }
th, td { padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; }
@media (max-width: 30rem) { .boxes { margin-left: 0.5rem; } table { font-size: 0.85rem; } th, td { padding-right: 0.5rem; } }
`;

/**
 * A tick in a list also chooses “Only what is ticked”. Without it the person chooses that, and a form that contradicts
 * itself is refused.
 */
const CHOOSE_SCRIPT = `'use strict';
for (const fieldset of document.querySelectorAll('fieldset')) {
  fieldset.addEventListener('change', ({ target }) => {
    if (target.type !== 'checkbox' || !target.checked) return;
    fieldset.querySelector('input[type="radio"][value="picked"]').checked = true;
  });
}
`;
