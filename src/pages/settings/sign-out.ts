// Signs people out: in this browser, or in all of them.
import { SIGN_IN_PATH } from '../../access/sign-in-links.ts';
import type { Middleware } from '../../http/request-state.ts';
import { audit, type Logger } from '../../process/log.ts';
import { type Html, html } from '../kit/html.ts';
import { byMethod } from './middleware.ts';
import { type SignedIn, seeOther } from './send-page.ts';
import type { Sessions } from './session.ts';

const SIGN_OUT_BYTES_MAX = 1024;
const EVERYWHERE_PATH = '/settings/sign-out-everywhere';

/** Returns the handlers by their paths. */
export function signOutPages(
  sessions: Sessions,
  logger: Logger,
): Readonly<Record<string, Middleware>> {
  const form = { bytesMax: SIGN_OUT_BYTES_MAX, names: [] };
  const here = sessions.form(form, async (ctx, { user: by }) => {
    await sessions.end(ctx);
    audit(logger, 'signed out', { by, requestId: ctx.state.requestId });
    seeOther(ctx, `${SIGN_IN_PATH}?notice=signed-out`);
  });
  const everywhere = sessions.form(form, async (ctx, { user }) => {
    await sessions.endAll(ctx, user);
    audit(logger, 'signed out everywhere', { by: user, requestId: ctx.state.requestId });
    seeOther(ctx, `${SIGN_IN_PATH}?notice=signed-out-everywhere`);
  });
  return {
    '/settings/sign-out': byMethod({ POST: here }),
    [EVERYWHERE_PATH]: byMethod({ POST: everywhere }),
  };
}

export function renderSignOutEverywhere({ formKey }: SignedIn): Html {
  return html`<h2>Sign out everywhere</h2>
<p>Ends your sessions on these pages at once, in this browser and in all others. Your tokens stay valid: revoke them one by one.</p>
<form method="post" action="${EVERYWHERE_PATH}">
<input type="hidden" name="form_key" value="${formKey}">
<button class="plain">Sign out everywhere</button>
</form>`;
}
