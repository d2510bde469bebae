// Routes the pages for people: the landing page at the root, sign-in and API tokens below /settings.
import { Router } from '@koa/router';
import helmet from 'helmet';
import { BASE_PATH } from '../../http/create-router.ts';
import { boundInFlight } from '../../http/middleware/bound-in-flight.ts';
import type { Middleware, RequestState } from '../../http/request-state.ts';
import { publicDocument } from '../../http/routes/public-document.ts';
import { html } from '../kit/html.ts';
import { COPY_SCRIPT } from '../kit/page-parts.ts';
import { CHOOSE_SCRIPT, SETTINGS_STYLE } from './assets.ts';
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
