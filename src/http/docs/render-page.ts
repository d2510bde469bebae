// The page of the API: its description as one HTML document, without scripts and without requests to other hosts.
import { createHash } from 'node:crypto';
import { html, trustedHtml } from '../../page/html.ts';
import { renderSiteBar } from '../../page/site-bar.ts';
import { STYLE } from '../../page/style.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { anchorOf, endpointsOf, renderOperation } from './operation.ts';
import { renderShape, renderValue } from './schema.ts';
import { renderText } from './text.ts';

/** Returns the page as HTML. It links to `openapiPath`, the address of the OpenAPI document. */
export function renderPage(document: OpenApiDocument, openapiPath: string): string {
  const { info, servers = [], components = {} } = document;
  const endpoints = endpointsOf(document);
  const links = endpoints.map(
    endpoint =>
      html`<li><a href="#${anchorOf(endpoint)}">${endpoint.operation.summary ?? endpoint.path}</a></li>`,
  );
  const schemes = Object.values(components.securitySchemes ?? {});
  const base = servers[0]?.url ?? '';
  const schemas = Object.entries(components.schemas ?? {});
  const shapes = schemas.filter(([, { properties }]) => properties !== undefined);
  const values = schemas.filter(([, { properties }]) => properties === undefined);
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}</title>
<link rel="icon" href="data:,">
<style>${trustedHtml(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${renderSiteBar()}
<main id="main">
<h1>${info.title}</h1>
<p>Version ${info.version}, below <code>${base || '/'}</code>, also as <a href="${openapiPath}">OpenAPI document</a></p>
<nav aria-label="Endpoints"><ul>${links}
<li><a href="#shapes">Shapes</a></li></ul></nav>
${renderText(info.description)}
<h2 id="authentication">Authentication</h2>
${schemes.flatMap(({ description }) => renderText(description))}
<p>Create a token on the page <a href="/settings/tokens">API tokens</a>. Then, with the address of this page for HOST:</p>
<pre><code>curl -H "Authorization: Bearer service_pat_…" HOST${base}/budgets</code></pre>
<h2 id="endpoints">Endpoints</h2>
${endpoints.map(endpoint => renderOperation(document, endpoint))}
<h2 id="shapes">Shapes</h2>
${shapes.map(([name, schema]) => renderShape(name, schema))}
<h2 id="values">Values</h2>
<dl>${values.map(([name, schema]) => renderValue(name, schema))}</dl>
</main>
</body>
</html>
`.html;
}

/** Allows only the page's own style, by its hash, and the empty icon. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
