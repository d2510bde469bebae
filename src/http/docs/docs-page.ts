// Serves the page and its script.
import { LRUCache } from 'lru-cache';
import type { Middleware } from '../request-state.ts';
import { publicDocument } from '../routes/public-document.ts';
import { type OriginConfig, ownOrigin } from './own-origin.ts';
import type { PageFacts } from './page-facts.ts';
import { PAGE_POLICY, PAGE_SCRIPT, renderPage } from './render-page.ts';

/** A page of some 200 kB is kept for this many addresses of this service; beyond, the least recently used one goes. */
const ORIGINS_MAX = 8;

export function docsPage(facts: Omit<PageFacts, 'origin'>, config: OriginConfig): Middleware {
  const pages = new LRUCache<string, Middleware>({ max: ORIGINS_MAX });
  const headers = { 'Content-Security-Policy': PAGE_POLICY };
  return async function docsPage(ctx, next) {
    const origin = ownOrigin(ctx, config);
    let page = pages.get(origin);
    if (page === undefined) {
      page = publicDocument({ text: renderPage({ ...facts, origin }), type: 'html', headers });
      pages.set(origin, page);
    }
    await page(ctx, next);
  };
}

export function docsScript(): Middleware {
  return publicDocument({ text: PAGE_SCRIPT, type: 'js' });
}
