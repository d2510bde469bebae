// Who is signed in: the session's cookie, pages for its user alone, and forms that only its own pages can send.
import { deriveSecret, isSameSecret } from '../access/secret.ts';
import { SIGN_IN_PATH } from '../access/sign-in-links.ts';
import type { Context, Middleware } from '../http/request-state.ts';
import { html } from '../page/html.ts';
import { type Cookies, createCookies } from './cookies.ts';
import { createFormReader, type Form } from './form.ts';
import type { SettingsOptions } from './options.ts';
import { PageError } from './page-error.ts';
import { checkSameOrigin } from './same-origin.ts';
import { type SignedIn, sendPage } from './send-page.ts';

export interface Session extends SignedIn {
  readonly id: string;
}

export interface Sessions {
  /** A page for who is signed in; others are led to the sign-in. */
  page(show: (ctx: Context, session: Session) => Promise<void>): Middleware;
  /** A form that was sent by a page of the same session. */
  form(
    expected: { readonly bytesMax: number; readonly names: readonly string[] },
    take: (ctx: Context, session: Session, form: Form) => Promise<void>,
  ): Middleware;
  /** Signs a user in, under a new id: one that was planted before is worth nothing. */
  begin(ctx: Context, user: string): Promise<void>;
  /** Ends the session of a request, for every reader. */
  end(ctx: Context): Promise<void>;
}

const COOKIE = 'session';
export const FORM_KEY = 'form_key';

export function createSessions({ access, clock, config }: SettingsOptions): Sessions {
  const cookies = createCookies(config.publicUrl?.startsWith('https:') === true);

  async function find(ctx: Context): Promise<Session | null> {
    const id = cookies.read(ctx, COOKIE);
    const found = await access.sessions.find(id, clock());
    return found === null ? null : { id, user: found.user, formKey: deriveSecret(id, 'form') };
  }

  async function end(ctx: Context): Promise<void> {
    await access.sessions.end(cookies.read(ctx, COOKIE));
    cookies.clear(ctx, COOKIE);
  }

  return {
    page: show => async ctx => {
      const session = await find(ctx);
      if (session !== null) return await show(ctx, session);
      if (cameFromAnotherSite(ctx, cookies)) return askAgain(ctx);
      toSignIn(ctx, cookies);
    },
    form({ bytesMax, names }, take) {
      const readForm = createFormReader(bytesMax, [FORM_KEY, ...names]);
      return async ctx => {
        checkSameOrigin(ctx, config.publicUrl);
        const session = await find(ctx);
        if (session === null) return toSignIn(ctx, cookies);
        const form = await readForm(ctx);
        checkFormKey(form, session);
        await take(ctx, session, form);
      };
    },
    async begin(ctx, user) {
      await access.sessions.end(cookies.read(ctx, COOKIE));
      const id = await access.sessions.begin(user, clock());
      cookies.write(ctx, COOKIE, id, { sameSite: 'Strict' });
    },
    end,
  };
}

function checkFormKey(form: Form, { formKey }: Session): void {
  if (isSameSecret(form.one(FORM_KEY), formKey)) return;
  const message = 'It belongs to another session. Nothing was changed. Open the page again.';
  throw new PageError(403, 'Form refused', message);
}

function toSignIn(ctx: Context, cookies: Cookies): void {
  const hadSession = cookies.read(ctx, COOKIE) !== '';
  if (hadSession) cookies.clear(ctx, COOKIE);
  ctx.status = 303;
  ctx.set('Location', hadSession ? `${SIGN_IN_PATH}?notice=ended` : SIGN_IN_PATH);
}

/** The cookie is Strict: it is not sent where another site's page leads here, signed in or not. */
function cameFromAnotherSite(ctx: Context, cookies: Cookies): boolean {
  return ctx.get('Sec-Fetch-Site') === 'cross-site' && cookies.read(ctx, COOKIE) === '';
}

/** So the browser asks once more by itself, now from a page of ours. */
export function askAgain(ctx: Context, path = ctx.state.path): void {
  const content = html`<p><a href="${path}">Go on</a></p>`;
  sendPage(ctx, { title: 'One moment', content, next: path });
}
