// Serves the page, its script, and the same content as text.
import { LRUCache } from 'lru-cache';
import type { Middleware } from '../request-state.ts';
import { type PublicDocument, publicDocument } from '../routes/public-document.ts';
import { renderLlmsText } from './llms-text.ts';
import { type DocsPageFacts, type OriginConfig, ownOrigin } from './page-facts.ts';
import { DOCS_POLICY, PAGE_SCRIPT, renderDocsPage, renderMarkdown } from './render-page.ts';

/** A page of some 200 kB is kept for this many addresses of this service; beyond, the least recently used one goes. */
const ORIGINS_MAX = 8;

type Facts = Omit<DocsPageFacts, 'origin'>;

export function docsPage(facts: Facts, config: OriginConfig): Middleware {
  const headers = { 'Content-Security-Policy': DOCS_POLICY };
  return byOrigin(config, origin => ({
    text: renderDocsPage({ ...facts, origin }),
    type: 'html',
    headers,
  }));
}

/** Serves the page as Markdown. */
export function docsText(facts: Facts, config: OriginConfig): Middleware {
  return byOrigin(config, origin => ({ text: renderMarkdown({ ...facts, origin }), type: 'md' }));
}

export function llmsText(facts: Facts, config: OriginConfig): Middleware {
  return byOrigin(config, origin => ({ text: renderLlmsText({ ...facts, origin }), type: 'txt' }));
}

/** Serves a document that names the address under which its reader reaches this service. */
function byOrigin(config: OriginConfig, render: (origin: string) => PublicDocument): Middleware {
  const documents = new LRUCache<string, Middleware>({ max: ORIGINS_MAX });
  return async function byOrigin(ctx, next) {
    const origin = ownOrigin(ctx, config);
    let document = documents.get(origin);
    if (document === undefined) {
      document = publicDocument(render(origin));
      documents.set(origin, document);
    }
    await document(ctx, next);
  };
}

export function docsScript(): Middleware {
  return publicDocument({ text: PAGE_SCRIPT, type: 'js' });
}
