// Sessions of signed-in people: the cookie, pages that need a session, and forms that only its own pages can send.
import { LRUCache } from 'lru-cache';
import { addressKey } from '../../access/address.ts';
import { deriveSecret, hashSecret, isSameSecret, isSecret } from '../../access/secret.ts';
import { SIGN_IN_PATH } from '../../access/sign-in-links.ts';
import { createShares } from '../../http/bounds.ts';
import { addressOf } from '../../http/middleware/limits.ts';
import type { Context, Middleware } from '../../http/request-state.ts';
import { audit } from '../../process/log.ts';
import { html } from '../kit/html.ts';
import { type Cookies, createCookies } from './cookies.ts';
import { createFormReader, type Form } from './form.ts';
import type { SettingsOptions } from './options.ts';
import { notAvailable, PageError, tooManyRequests } from './page-error.ts';
import { checkSameOrigin } from './same-origin.ts';
import { type SignedIn, seeOther, sendPage } from './send-page.ts';

export interface Session extends SignedIn {
  readonly id: string;
}

export interface SignIn {
  readonly user: string;
  readonly by: 'link' | 'issuer';
}

export interface Sessions {
  /** Returns a page for signed-in people; anyone else is redirected to the sign-in. */
  page(show: (ctx: Context, session: Session) => Promise<void>): Middleware;
  /** Returns the handler of a form; only pages of the same session can send it. */
  form(
    expected: { readonly bytesMax: number; readonly names: readonly string[] },
    take: (ctx: Context, session: Session, form: Form) => Promise<void>,
  ): Middleware;
  /** Signs a user in. The session gets a new id, so that an id planted before the sign-in is useless. */
  begin(ctx: Context, signIn: SignIn): Promise<void>;
  /** Ends the session of a request, if it has one, on every reader. */
  end(ctx: Context): Promise<void>;
  /** Ends all sessions of a user, on every reader, and forgets that of the request. */
  endAll(ctx: Context, user: string): Promise<void>;
}

const COOKIE = 'session';
export const FORM_KEY = 'form_key';
/** Requests of one person at one time, a fifth of all (http/bounds.ts): slow forms of one keep nobody else away. */
const REQUESTS_MAX = 20;

export function createSessions({ access, clock, config, logger }: SettingsOptions): Sessions {
  const cookies = createCookies(config.publicUrl?.startsWith('https:') === true);

  const guesses = createSessionGuesses();
  const shares = createShares(REQUESTS_MAX);

  async function find(ctx: Context): Promise<Session | null> {
    const id = cookies.read(ctx, COOKIE);
    if (!isSecret(id)) return null;
    const now = clock();
    const address = addressKey(addressOf(ctx, config.trustedProxies));
    const findSession = () => access.sessions.find(id, now);
    const found = await guesses.lookUp({ id, address, now, find: findSession });
    if (found === null) return null;
    if (!shares.hasFree(found.user)) throw notAvailable();
    shares.take(found.user, ctx.res);
    return { id, user: found.user, formKey: deriveSecret(id, 'form') };
  }

  async function end(ctx: Context): Promise<void> {
    const id = cookies.read(ctx, COOKIE);
    if (id === '') return;
    await access.sessions.end(id);
    cookies.clear(ctx, COOKIE);
  }

  return {
    page: show => async ctx => {
      const session = await find(ctx);
      if (session !== null) return await show(ctx, session);
      if (isFromAnotherSite(ctx, cookies)) return reloadSameSite(ctx);
      toSignIn(ctx, cookies, { isEnded: cookies.read(ctx, COOKIE) !== '' });
    },
    form({ bytesMax, names }, take) {
      const readForm = createFormReader(bytesMax, [FORM_KEY, ...names]);
      return async ctx => {
        checkSameOrigin(ctx, config);
        const session = await find(ctx);
        // Only pages of a session have these forms. Without a cookie another tab has ended it.
        if (session === null) return toSignIn(ctx, cookies, { isEnded: true });
        const form = await readForm(ctx);
        checkFormKey(form, session);
        await take(ctx, session, form);
      };
    },
    async begin(ctx, { user, by: way }) {
      await access.sessions.end(cookies.read(ctx, COOKIE));
      const id = await access.sessions.begin(user, clock());
      audit(logger, 'signed in', { by: user, way, requestId: ctx.state.requestId });
      guesses.see(id);
      cookies.write(ctx, { name: COOKIE, value: id, sameSite: 'Strict' });
    },
    end,
    async endAll(ctx, user) {
      await access.sessions.endAll(user);
      cookies.clear(ctx, COOKIE);
    },
  };
}

function checkFormKey(form: Form, { formKey }: Session): void {
  if (isSameSecret(form.one(FORM_KEY), formKey)) return;
  const message = 'It belongs to another session. Nothing was changed. Open the page again.';
  throw new PageError('Form refused', message, { status: 403 });
}

/** @param isEnded whether the page says that the session has ended */
function toSignIn(ctx: Context, cookies: Cookies, { isEnded }: { isEnded: boolean }): void {
  if (cookies.read(ctx, COOKIE) !== '') cookies.clear(ctx, COOKIE);
  seeOther(ctx, isEnded ? `${SIGN_IN_PATH}?notice=ended` : SIGN_IN_PATH);
}

/** A link from another site does not send the Strict cookie, so the person may be signed in all the same. */
function isFromAnotherSite(ctx: Context, cookies: Cookies): boolean {
  return ctx.get('Sec-Fetch-Site') === 'cross-site' && cookies.read(ctx, COOKIE) === '';
}

/** Sends a page that loads `path` at once; that request comes from this site and carries the Strict cookie. */
export function reloadSameSite(ctx: Context, path = ctx.state.path): void {
  const content = html`<p><a href="${path}">Go on</a></p>`;
  sendPage(ctx, { title: 'One moment', content, next: path });
}

/** Per address and minute. An ended session costs a browser one of them, because the answer clears the cookie. */
const GUESSES_MAX = 60;
/** Addresses beyond this share one count, so that a flood cannot fill the memory. */
const ADDRESSES_MAX = 100_000;
/** Beyond this the session that was not seen for the longest time is forgotten. */
const SEEN_MAX = 10_000;
const MINUTE_MS = 60_000;

interface LookUp<Found> {
  /** The session's id, as the cookie has it. */
  readonly id: string;
  readonly address: string;
  readonly now: Date;
  readonly find: () => Promise<Found | null>;
}

/**
 * Bounds what made-up session cookies cost: beyond a number of them in a minute, an address is refused without a look-up.
 * The counts are this process's own, because a count in the database would cost as much as the look-up.
 */
interface SessionGuesses {
  /**
   * Returns what `find` returns. It counts for the address while it runs, and afterwards if it found nothing.
   *
   * @throws PageError 429 beyond the limit, unless the session was seen here before
   */
  lookUp<Found>(lookUp: LookUp<Found>): Promise<Found | null>;
  /** Notes a session that exists, so that its person is not refused because of others at the address. */
  see(id: string): void;
}

function createSessionGuesses(): SessionGuesses {
  const counts = new Map<string, number>();
  const seen = new LRUCache<string, true>({ max: SEEN_MAX });
  let minute = 0;

  /** Counts a guess, and returns the function that takes it back. */
  function guess(address: string, nowMs: number): () => void {
    const thisMinute = Math.floor(nowMs / MINUTE_MS);
    if (thisMinute !== minute) counts.clear();
    minute = thisMinute;
    const key = counts.has(address) || counts.size < ADDRESSES_MAX ? address : '';
    const before = counts.get(key) ?? 0;
    if (before >= GUESSES_MAX) {
      throw tooManyRequests(Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / 1000));
    }
    counts.set(key, before + 1);
    return () => {
      if (thisMinute === minute) counts.set(key, (counts.get(key) ?? 1) - 1);
    };
  }

  return {
    see: id => void seen.set(hashSecret(id), true),
    async lookUp({ id, address, now, find }) {
      const hash = hashSecret(id);
      const uncount = seen.has(hash) ? () => {} : guess(address, now.getTime());
      const found = await find().catch(error => {
        uncount();
        throw error;
      });
      if (found === null) {
        seen.delete(hash);
      } else {
        uncount();
        seen.set(hash, true);
      }
      return found;
    },
  };
}
