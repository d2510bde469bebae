// Refuses forms sent by pages of other sites, by the request headers in which browsers name the sender.
import type { Context } from '../http/request-state.ts';
import { PageError } from './page-error.ts';

/**
 * Checks that a page of this service sent the form. All current browsers send `Origin` with a form, and most send
 * `Sec-Fetch-Site`; both must agree.
 *
 * @param publicUrl the URL under which people reach this service; null stands for the Host of the request
 * @throws PageError 403 when another site sent it
 */
export function checkSameOrigin(ctx: Context, publicUrl: string | null): void {
  const own = publicUrl === null ? `http://${ctx.get('Host')}` : new URL(publicUrl).origin;
  const site = ctx.get('Sec-Fetch-Site');
  if (ctx.get('Origin') === own && (site === '' || site === 'same-origin')) return;
  throw new PageError(
    'Form refused',
    'This form came from another site, or by another address than this service is configured for ' +
      '(PUBLIC_URL). Nothing was changed.',
    { status: 403 },
  );
}
