// What the page says of the system that serves it.
import type { RateLimits } from '../../process/config.ts';
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
