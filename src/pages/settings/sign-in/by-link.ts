// Signs people in by a one-time link. The link opens a page with a button, so that a prefetch does not use it up.
import { LINK_MINUTES, SIGN_IN_PATH } from '../../../access/sign-in-links.ts';
import { parseQuery } from '../../../http/query-string.ts';
import type { Context, Middleware } from '../../../http/request-state.ts';
import { audit } from '../../../process/log.ts';
import { type Html, html } from '../../kit/html.ts';
import { createFormReader } from '../form.ts';
import { byMethod } from '../middleware.ts';
import type { SettingsOptions } from '../options.ts';
import { PageError } from '../page-error.ts';
import { checkSameOrigin } from '../same-origin.ts';
import { renderNotice, seeOther, sendPage } from '../send-page.ts';
import type { Sessions } from '../session.ts';

/** The sender is not authenticated yet, so the form must stay small; a larger one is refused with 413. */
const FORM_BYTES_MAX = 1024;

/** Returns the pages by their paths. */
export function signInByLink(
  { access: { links }, clock, config, logger }: SettingsOptions,
  sessions: Sessions,
): Readonly<Record<string, Middleware>> {
  const readForm = createFormReader(FORM_BYTES_MAX, ['link']);

  function refused({ state: { requestId } }: Context): PageError {
    audit(logger, 'sign-in refused', { way: 'link', requestId });
    return notGood();
  }

  async function show(ctx: Context): Promise<void> {
    const given = parseQuery(ctx.state.query).find(({ name }) => name === 'link');
    if (given === undefined) {
      const content = html`${renderNotice(ctx.state.query)}${renderHowTo()}`;
      return sendPage(ctx, { title: 'Sign in', content });
    }
    const link = given.value ?? '';
    const user = await links.find(link, clock());
    if (user === null) throw refused(ctx);
    sendPage(ctx, { title: 'Sign in', content: renderButton(link, user) });
  }

  async function use(ctx: Context): Promise<void> {
    checkSameOrigin(ctx, config);
    const form = await readForm(ctx);
    const user = await links.use(form.one('link'), clock());
    if (user === null) throw refused(ctx);
    await sessions.begin(ctx, { user, by: 'link' });
    seeOther(ctx, '/settings/tokens');
  }

  return { [SIGN_IN_PATH]: byMethod({ GET: show, POST: use }) };
}

function renderButton(link: string, user: string): Html {
  return html`<p>This link signs you in as <strong><bdi>${user}</bdi></strong>. It works once.</p>
<form method="post" action="${SIGN_IN_PATH}">
<input type="hidden" name="link" value="${link}">
<button>Sign in</button>
</form>`;
}

function renderHowTo(): Html {
  return html`<p>You sign in with a one-time link. On the machine that runs this service:</p>
<pre><code>npx budgeting sign-in --user YOUR_USER_ID</code></pre>
<p>It prints the link, which works once, within ${LINK_MINUTES} minutes.</p>`;
}

function notGood(): PageError {
  return new PageError(
    'Link not valid',
    `A sign-in link works once, within ${LINK_MINUTES} minutes. This one is used, too old or not complete.`,
    { status: 403, link: { href: SIGN_IN_PATH, text: 'How to get a new one' } },
  );
}
