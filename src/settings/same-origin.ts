// Refuses forms that another site's page sent: what browsers say of where a request comes from.
import type { Context } from '../http/request-state.ts';
import { PageError } from './page-error.ts';

/**
 * Throws where a form was not sent by a page of this service. Every browser of today sends `Origin` with a
 * form; `Sec-Fetch-Site` says the same in the browser's own words where it knows them.
 *
 * @param publicUrl where people reach this service; null: at the host they asked for
 */
export function checkSameOrigin(ctx: Context, publicUrl: string | null): void {
  const own = publicUrl === null ? `http://${ctx.get('Host')}` : new URL(publicUrl).origin;
  const site = ctx.get('Sec-Fetch-Site');
  if (ctx.get('Origin') === own && (site === '' || site === 'same-origin')) return;
  throw new PageError(
    403,
    'Form refused',
    'This form came from another site, or by another address than this service is configured for ' +
      '(PUBLIC_URL). Nothing was changed.',
  );
}
