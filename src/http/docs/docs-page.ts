// Serves the page, its script, the same content as text, and an overview for assistants.
import { LRUCache } from 'lru-cache';
import type { Middleware } from '../request-state.ts';
import { type PublicDocument, publicDocument } from '../routes/public-document.ts';
import { endpointsOf } from './endpoints.ts';
import { apiAddress, type DocsPageFacts, type OriginConfig, ownOrigin } from './page-facts.ts';
import {
  DOCS_POLICY,
  PAGE_SCRIPT,
  renderDocsPage,
  renderMarkdown,
  SCRIPT_PATH,
  TEXT_PATH,
} from './render-page.ts';

/** A page of some 200 kB is kept for this many addresses of this service; beyond, the least recently used one goes. */
const ORIGINS_MAX = 8;

/** The path of the overview (https://llmstxt.org): what this service is, and where it is described in text. */
const LLMS_PATH = '/llms.txt';

/** Returns the documents by their paths. */
export function docsPages(
  given: Omit<DocsPageFacts, 'origin'>,
  config: OriginConfig,
): Readonly<Record<string, Middleware>> {
  const headers = { 'Content-Security-Policy': DOCS_POLICY };
  const from = (render: (facts: DocsPageFacts) => string, document: Omit<PublicDocument, 'text'>) =>
    byOrigin(config, origin => ({ ...document, text: render({ ...given, origin }) }));
  return {
    '/docs': from(renderDocsPage, { type: 'html', headers }),
    [TEXT_PATH]: from(renderMarkdown, { type: 'md' }),
    [LLMS_PATH]: from(renderLlmsText, { type: 'txt' }),
    [SCRIPT_PATH]: publicDocument({ text: PAGE_SCRIPT, type: 'js' }),
  };
}

export function renderLlmsText(facts: DocsPageFacts): string {
  const { document, origin, openapiPath } = facts;
  const [summary = ''] = (document.info.description ?? '').split(/\n{2,}/);
  const withToken = endpointsOf(document).filter(
    ({ operation }) => operation.security?.length !== 0,
  );
  const endpoints = withToken.map(
    ({ method, path, operation }) =>
      `- ${method.toUpperCase()} ${apiAddress(facts)}${path}: ${operation.summary ?? ''}`,
  );
  return `# ${document.info.title}

> ${summary.replaceAll('\n', ' ')}

Endpoints need a token, which a person makes on ${origin}/settings/tokens. The documents need none.

## Documents

- [Guide and reference](${origin}${TEXT_PATH}): first call, pages, filters, sums, limits, errors, caching, keeping in sync, then every endpoint; the page ${origin}/docs as Markdown
- [OpenAPI document](${origin}${openapiPath}): version ${document.info.version}, as JSON

## Endpoints

${endpoints.join('\n')}
`;
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
