// OpenID Connect: the authorisation code flow with PKCE, state and nonce. Only this file imports openid-client.
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  None,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import type { AttemptChecks } from '../../../access/one-time-secrets.ts';
import { isId } from '../../../access/token-request.ts';
import type { OidcConfig } from '../../../process/config.ts';

export interface OidcClient {
  /**
   * Returns the issuer's URL that the browser goes to.
   *
   * @throws SignInError when the issuer cannot be reached, or names no page that can be used
   */
  begin(checks: AttemptChecks): Promise<string>;
  /**
   * Returns the id of the signed-in user.
   *
   * @param query the raw query string of the callback
   * @throws SignInError when the sign-in was cancelled or refused, or names no known user id
   */
  finish(query: string, checks: AttemptChecks): Promise<string>;
}

type Reason = 'cancelled' | 'refused' | 'unreachable' | 'unknown user';

/** Its message holds no value from a request, so it may be logged. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly reason: Reason;

  constructor(reason: Reason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const TIMEOUT_SECONDS = 10;
const NO_CONNECTION = 'no connection';

const DISCOVERY_MS_MAX = 3_600_000;

/**
 * @param redirectAddress returns the callback URL as registered at the issuer
 * @param nowMs a monotonic clock in milliseconds; that of the process by default
 */
export function createOidcClient(
  config: OidcConfig,
  redirectAddress: () => string,
  nowMs = () => performance.now(),
): OidcClient {
  let discovered: Promise<Configuration> | undefined;
  let discoveredMs = 0;

  // The issuer may move its endpoints: a discovery is kept for an hour, and until something fails.
  async function discover(): Promise<Configuration> {
    if (!discovered || nowMs() - discoveredMs > DISCOVERY_MS_MAX) {
      discovered = configure(config);
      discoveredMs = nowMs();
    }
    try {
      return await discovered;
    } catch (error) {
      discovered = undefined;
      const code = codeWith(statusOf(error), error);
      throw new SignInError('unreachable', `Discovery of the issuer failed: ${code}`);
    }
  }

  return {
    async begin({ state, nonce, codeVerifier }) {
      const parameters = {
        redirect_uri: redirectAddress(),
        // Claims other than `sub` need the profile scope.
        scope: config.userClaim === 'sub' ? 'openid' : 'openid profile',
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      };
      const issuer = await discover();
      try {
        return buildAuthorizationUrl(issuer, parameters).href;
      } catch (error) {
        discovered = undefined;
        const reason = `The issuer names no authorization_endpoint that can be used: ${codeOf(error)}`;
        throw new SignInError('unreachable', reason);
      }
    },
    async finish(query, { state, nonce, codeVerifier }) {
      const issuer = await discover();
      const answer = new URL(`${redirectAddress()}?${query}`);
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      };
      const tokens = await authorizationCodeGrant(issuer, answer, checks).catch(error => {
        discovered = undefined;
        return refuse(error);
      });
      return userOf(tokens.claims() ?? {}, config.userClaim);
    },
  };
}

async function configure({ issuer, clientId, clientSecret }: OidcConfig): Promise<Configuration> {
  const server = new URL(issuer);
  const insecure = server.protocol === 'http:' ? [allowInsecureRequests] : [];
  // The signature of the ID token is checked too: TLS to the issuer is not the only protection.
  const execute = [...insecure, enableNonRepudiationChecks];
  const auth = clientSecret === null ? None() : secretAuth(clientSecret);
  return await discovery(server, clientId, {}, auth, { execute, timeout: TIMEOUT_SECONDS });
}

/** Sends the secret in the header, the default of the specification, unless the issuer accepts it only in the form. */
function secretAuth(secret: string): ClientAuth {
  const inHeader = ClientSecretBasic(secret);
  const inForm = ClientSecretPost(secret);
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const auth = methods.includes('client_secret_basic') ? inHeader : inForm;
    return auth(server, ...request);
  };
}

function userOf(claims: Readonly<Record<string, unknown>>, claim: string): string {
  const user = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  if (typeof user === 'string' && isId(user)) return user;
  const got = user === undefined ? 'none' : 'a value that is not shown';
  throw new SignInError(
    'unknown user',
    `Expected the claim ${claim} to be a user's id, got ${got}`,
  );
}

/** Errors of openid-client may hold the whole callback with its code, so only the name of the error is passed on. */
function refuse(error: unknown): never {
  if (error instanceof AuthorizationResponseError && error.error === 'access_denied') {
    throw new SignInError('cancelled', 'The issuer says that access was denied');
  }
  const status = statusOf(error);
  const isBroken = status !== null && isOutOfOrder(status);
  const isAway = isBroken || AWAY.has(codeOf(error));
  const code = codeWith(isBroken ? status : null, error);
  throw new SignInError(isAway ? 'unreachable' : 'refused', `Sign-in failed: ${code}`);
}

/** The last two stand for 503 and 500, which a redirect back cannot carry (RFC 6749, section 4.1.2.1). */
const AWAY: ReadonlySet<string> = new Set([
  ...['OAUTH_TIMEOUT', NO_CONNECTION],
  ...['temporarily_unavailable', 'server_error'],
]);

/** Overload and redirects refuse nobody either: an endpoint for tokens does not redirect (RFC 6749, section 3.2). */
function isOutOfOrder(status: number): boolean {
  return status >= 500 || status === 429 || (status >= 300 && status < 400);
}

/** Returns the status that the issuer answered with; null if it is not known. */
function statusOf(error: unknown): number | null {
  if (error instanceof ResponseBodyError) return error.status;
  if (error instanceof WWWAuthenticateChallengeError) return error.status;
  // What the client makes of an answer without an OAuth error, such as that of a proxy.
  const { cause } = error as { cause?: unknown };
  return cause instanceof Response ? cause.status : null;
}

/**
 * What an issuer may send back (RFC 6749, section 4.1.2.1; OpenID Connect Core, 3.1.2.6). It is in the query, of which
 * nothing else is logged.
 */
const ANSWERS: ReadonlySet<string> = new Set([
  ...['invalid_request', 'unauthorized_client', 'unsupported_response_type', 'invalid_scope'],
  ...['server_error', 'temporarily_unavailable', 'interaction_required', 'login_required'],
  ...['account_selection_required', 'consent_required'],
]);

function codeWith(status: number | null, error: unknown): string {
  return status === null ? codeOf(error) : `${codeOf(error)}, status ${status}`;
}

function codeOf(error: unknown): string {
  // The issuer's error code, such as invalid_client, tells an operator what to fix.
  if (error instanceof ResponseBodyError && /^[a-z_]{1,60}$/.test(error.error)) return error.error;
  if (error instanceof AuthorizationResponseError && ANSWERS.has(error.error)) return error.error;
  // It stands for this code where the client was named in a header (RFC 6749, section 5.2).
  if (error instanceof WWWAuthenticateChallengeError && error.status === 401)
    return 'invalid_client';
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  if (code === 'OAUTH_PARSE_ERROR' && !(cause instanceof SyntaxError)) return cutOffBy(cause);
  if (typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code)) return code;
  return message === 'fetch failed' ? NO_CONNECTION : 'unknown';
}

/** Returns the code of an answer that stalled or broke off within its body. */
function cutOffBy(cause: unknown): string {
  return (cause as { name?: unknown } | null)?.name === 'TimeoutError'
    ? 'OAUTH_TIMEOUT'
    : NO_CONNECTION;
}
