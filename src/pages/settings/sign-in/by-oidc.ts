// Signs people in at an OpenID Connect issuer: the page that redirects there, and the callback.
import { ATTEMPT_MINUTES, attemptChecks } from '../../../access/one-time-secrets.ts';
import { isSameSecret } from '../../../access/secret.ts';
import { SIGN_IN_PATH } from '../../../access/sign-in-links.ts';
import { parseQuery } from '../../../http/query-string.ts';
import type { Middleware } from '../../../http/request-state.ts';
import type { OidcConfig } from '../../../process/config.ts';
import { audit } from '../../../process/log.ts';
import { html } from '../../kit/html.ts';
import { createCookies } from '../cookies.ts';
import { byMethod } from '../middleware.ts';
import type { SettingsOptions } from '../options.ts';
import { PageError } from '../page-error.ts';
import { renderNotice, seeOther, sendPage } from '../send-page.ts';
import { reloadSameSite, type Sessions } from '../session.ts';
import { createOidcClient, SignInError } from './oidc-client.ts';

const START_PATH = `${SIGN_IN_PATH}/start`;
export const CALLBACK_PATH = `${SIGN_IN_PATH}/callback`;
const COOKIE = 'sign-in';
const AGAIN = { href: SIGN_IN_PATH, text: 'Sign in again' };
const RETRY_AFTER_SECONDS = '10';

/** Returns the pages by their paths. */
export function signInByOidc(
  options: SettingsOptions,
  oidc: OidcConfig,
  sessions: Sessions,
): Readonly<Record<string, Middleware>> {
  const { access, clock, logger, config } = options;
  const cookies = createCookies(config.publicUrl?.startsWith('https:') === true);
  const client = createOidcClient(oidc, () => options.origin() + CALLBACK_PATH);
  const issuer = new URL(oidc.issuer).host;

  function toPageError(error: unknown, requestId: string): unknown {
    if (!(error instanceof SignInError)) return error;
    logger.warn({ requestId, reason: error.reason }, error.message);
    audit(logger, 'sign-in refused', { way: 'issuer', reason: error.reason, requestId });
    return pageErrorOf(error);
  }

  /**
   * Throws before the attempt of this browser is touched: a link of another site leads here with the cookie too, but only
   * the issuer knows the attempt's state. Another state may be that of an earlier attempt, in another tab.
   */
  function checkState(query: string, secret: string, requestId: string): void {
    const state = stateOf(query);
    if (isSameSecret(state, attemptChecks(secret).state)) return;
    const message = 'Expected the state of the sign-in in progress';
    if (state === '') throw toPageError(new SignInError('refused', message), requestId);
    logger.warn({ requestId }, message);
    throw notUnderWay();
  }

  const once = (page: Middleware) => byMethod({ GET: page }, { hasHead: false });
  const show: Middleware = async ctx => {
    const content = html`${renderNotice(ctx.state.query)}
<p>Your account at <strong>${issuer}</strong> signs you in to this service.</p>
<p><a class="button" href="${START_PATH}">Sign in</a></p>`;
    sendPage(ctx, { title: 'Sign in', content });
  };
  return {
    [SIGN_IN_PATH]: byMethod({ GET: show }),
    [START_PATH]: once(async ctx => {
      const origin = options.origin();
      // The issuer leads back to the address of the listener, where a cookie of `localhost` would be missing.
      const isOther = URL.canParse(origin) && ctx.host !== new URL(origin).host;
      if (config.publicUrl === null && isOther) {
        seeOther(ctx, origin + START_PATH);
        return;
      }
      const secret = await access.attempts.begin(clock());
      const address = await client.begin(attemptChecks(secret)).catch(error => {
        throw toPageError(error, ctx.state.requestId);
      });
      // The issuer leads back without the Strict cookie, so the callback does not know the session before.
      await sessions.end(ctx);
      // Lax: a Strict cookie would be missing when the issuer redirects back here.
      const attributes = { sameSite: 'Lax', maxAgeSeconds: ATTEMPT_MINUTES * 60 } as const;
      cookies.write(ctx, { name: COOKIE, value: secret, ...attributes });
      seeOther(ctx, address);
    }),
    [CALLBACK_PATH]: once(async ctx => {
      const secret = cookies.read(ctx, COOKIE);
      const { query, requestId } = ctx.state;
      if (secret !== '') checkState(query, secret, requestId);
      const isUnderWay = await access.attempts.end(secret, clock());
      // Not before: while the database is away, the same request can be sent again.
      cookies.clear(ctx, COOKIE);
      if (!isUnderWay) throw notUnderWay();
      const user = await client.finish(query, attemptChecks(secret)).catch(error => {
        throw toPageError(error, requestId);
      });
      await sessions.begin(ctx, { user, by: 'issuer' });
      reloadSameSite(ctx, '/settings/tokens');
    }),
  };
}

/** Returns an empty text for an absent or repeated state. */
function stateOf(query: string): string {
  const [state, ...more] = parseQuery(query).filter(({ name }) => name === 'state');
  return more.length === 0 ? (state?.value ?? '') : '';
}

function notUnderWay(): PageError {
  return new PageError(
    'Sign-in not finished',
    `It was finished before, begun in another browser, followed by a later one, or took longer than ${ATTEMPT_MINUTES} minutes.`,
    { status: 400, link: AGAIN },
  );
}

function pageErrorOf({ reason }: SignInError): PageError {
  const refused = { status: 403, link: AGAIN };
  switch (reason) {
    case 'cancelled':
      return new PageError('Sign-in cancelled', 'You are not signed in.', refused);
    case 'refused':
      return new PageError('Sign-in refused', 'You are not signed in.', refused);
    case 'unknown user': {
      const message = 'Your account has no user id that this service knows. Ask its operator.';
      return new PageError('Sign-in refused', message, refused);
    }
    case 'unreachable': {
      const message = 'The service that signs people in does not answer. Try again in a moment.';
      const headers = { 'Retry-After': RETRY_AFTER_SECONDS };
      return new PageError('Sign-in not possible', message, { status: 503, link: AGAIN, headers });
    }
  }
}
