// The page as a reader with the default configuration serves it.
import openapi from '../../../schemas/openapi.json' with { type: 'json' };
import type { OpenApiDocument } from '../../../src/http/docs/openapi-document.ts';
import type { DocsPageFacts } from '../../../src/http/docs/page-facts.ts';
import { renderDocsPage } from '../../../src/http/docs/render-page.ts';
import { loadConfig } from '../../../src/process/config.ts';

export const FACTS: DocsPageFacts = {
  document: openapi as unknown as OpenApiDocument,
  origin: 'http://service.test',
  openapiPath: '/api/v1/openapi.json',
  limits: loadConfig({}).limits,
};

export const PAGE = renderDocsPage(FACTS);

/** Returns the section with an anchor, from its start to its end tag. */
export function sectionOf(page: string, id: string): string {
  const from = page.indexOf(`<section id="${id}"`);
  if (from === -1) throw new Error(`Expected a section ${id}, got none`);
  return page.slice(from, page.indexOf('</section>', from));
}
