// A real OpenID Connect issuer for tests. Users sign in by stating their name.
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Provider } from 'oidc-provider';

// It warns that it does not support Node 20, and that its store in memory is not for production.
const { warn } = console;
const unwarned = <T>(result: T): T => {
  console.warn = warn;
  return result;
};

/** Imported late: an import that waits keeps files that share a process from declaring their tests. */
async function loadProvider() {
  console.warn = () => {};
  return unwarned(await import('oidc-provider')).Provider;
}

/** One key for all issuers, because generating it takes a while. */
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

export interface OidcProvider {
  /** The host is `localhost`, so that 127.0.0.1 is another site. */
  readonly issuer: string;
  /** Breaks every connection until `comeBack`; the port stays reserved. */
  goAway(): void;
  /** Starts from scratch: attempts from before are forgotten. */
  comeBack(): void;
  stop(): Promise<void>;
}

export interface ProviderOptions {
  readonly clientId: string;
  /** Absent: a public client. */
  readonly clientSecret?: string;
  readonly authMethod?: 'client_secret_basic' | 'client_secret_post';
  readonly redirectAddress: string;
  /** More claims of every user, besides the subject. */
  readonly claims?: Readonly<Record<string, string>>;
}

export async function startOidcProvider(options: ProviderOptions): Promise<OidcProvider> {
  const Issuing = await loadProvider();
  let isAway = false;
  const server = createServer();
  server.on('connection', socket => {
    if (isAway) socket.destroy();
  });
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  let provider = createProvider(Issuing, issuer, options);
  let answer = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
    interact(provider, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  return {
    issuer,
    goAway() {
      isAway = true;
      server.closeAllConnections();
    },
    comeBack() {
      provider = createProvider(Issuing, issuer, options);
      answer = provider.callback();
      isAway = false;
    },
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createProvider(
  Issuing: typeof Provider,
  issuer: string,
  options: ProviderOptions,
): Provider {
  const { clientId, clientSecret, authMethod, redirectAddress, claims = {} } = options;
  const client = {
    client_id: clientId,
    redirect_uris: [redirectAddress],
    ...(clientSecret
      ? {
          client_secret: clientSecret,
          token_endpoint_auth_method: authMethod ?? 'client_secret_basic',
        }
      : { token_endpoint_auth_method: 'none' as const }),
  };
  console.warn = () => {};
  const provider = new Issuing(issuer, {
    clients: [client],
    clientAuthMethods: [authMethod ?? 'client_secret_basic', 'none'],
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' } as never],
    },
    cookies: { keys: ['a key of this test'] },
    claims: { openid: ['sub'], profile: Object.keys(claims) },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...claims }) }),
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    // Grants every request without asking for consent.
    async loadExistingGrant(ctx) {
      const { client: asking, session, provider: own, params } = ctx.oidc;
      const grant = new own.Grant({
        clientId: asking?.clientId ?? '',
        accountId: session?.accountId ?? '',
      });
      grant.addOIDCScope(String(params?.scope));
      await grant.save();
      return grant;
    },
    ttl: { Grant: 600, IdToken: 600, Interaction: 600, Session: 600, AccessToken: 600 },
    renderError(ctx, { error, error_description }) {
      ctx.type = 'text';
      ctx.body = `${error}: ${error_description}`;
    },
  });
  return unwarned(provider);
}

/** The issuer's own page. `?as=` signs in without it; `?deny` refuses. */
async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { searchParams } = new URL(request.url ?? '', 'http://localhost');
  const login = searchParams.get('as');
  if (login !== null) {
    const result = { login: { accountId: login } };
    return await provider.interactionFinished(request, response, result);
  }
  if (searchParams.has('deny')) {
    const result = { error: 'access_denied', error_description: 'Refused by the person' };
    return await provider.interactionFinished(request, response, result);
  }
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(`<!DOCTYPE html><html lang="en"><title>Issuer</title><body><form>
<label>User <input name="as"></label> <button>Sign in at the issuer</button></form></body></html>`);
}
