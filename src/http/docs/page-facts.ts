// What the page says of the system that serves it, and the address under which its reader can reach this service.
import { hostname } from 'node:os';
import { isAllowedHost } from '../../process/allowed-host.ts';
import type { RateLimits } from '../../process/config.ts';
import type { Context } from '../request-state.ts';
import type { OpenApiDocument } from './openapi-document.ts';

export interface DocsPageFacts {
  readonly document: OpenApiDocument;
  /** Under which people reach this service, such as `https://budgeting.example.com`. */
  readonly origin: string;
  /** The path of the OpenAPI document. */
  readonly openapiPath: string;
  readonly limits: RateLimits;
}

/** Returns the address that the paths of the document continue. */
export function apiAddress({ document, origin }: DocsPageFacts): string {
  return `${origin}${document.servers?.[0]?.url ?? ''}`;
}

export interface OriginConfig {
  /** See the configuration; null or absent: the address of the request. */
  readonly publicUrl?: string | null;
  /** The configured host that the API listens on. */
  readonly host: string;
}

/**
 * Returns PUBLIC_URL or, without one, the address of the request. A name that is not this machine's is never shown:
 * a site that made a browser send it would receive the tokens of people who copy an example.
 */
export function ownOrigin({ req }: Context, { publicUrl, host }: OriginConfig): string {
  if (publicUrl) return publicUrl;
  const asked = req.headers.host;
  if (isAllowedHost(asked, { listensOn: host, machine: hostname() })) return `http://${asked}`;
  const { localAddress = '127.0.0.1', localPort = 80 } = req.socket;
  const address = localAddress.replace(/^::ffff:/, '');
  return `http://${address.includes(':') ? `[${address}]` : address}:${localPort}`;
}
