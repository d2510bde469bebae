// Refuses forms sent by pages of other sites, by the request headers in which browsers name the sender.
import { hostname } from 'node:os';
import type { Context } from '../../http/request-state.ts';
import { isAllowedHost } from '../../process/allowed-host.ts';
import type { Config } from '../../process/config.ts';
import { PageError } from './page-error.ts';

/**
 * Checks that a page of this service sent the form. All current browsers send `Origin` with a form, and most send
 * `Sec-Fetch-Site`; both must agree.
 *
 * @throws PageError 403 when another site sent it
 */
export function checkSameOrigin(ctx: Context, config: Pick<Config, 'publicUrl' | 'host'>): void {
  const site = ctx.get('Sec-Fetch-Site');
  const isOwn = ctx.get('Origin') === ownOrigin(ctx.get('Host'), config);
  if (isOwn && (site === '' || site === 'same-origin')) return;
  throw new PageError(
    'Form refused',
    'This form came from another site, or by another address than this service is configured for ' +
      '(PUBLIC_URL). Nothing was changed.',
    { status: 403 },
  );
}

/** Without PUBLIC_URL the origin follows Host, if that names this machine; another site may have its name lead here. */
function ownOrigin(
  host: string,
  { publicUrl, host: listensOn }: Pick<Config, 'publicUrl' | 'host'>,
): string | null {
  if (publicUrl !== null) return new URL(publicUrl).origin;
  return isAllowedHost(host, { listensOn, machine: hostname() }) ? `http://${host}` : null;
}
