// The page of the API: its description as HTML, complete in itself, without scripts and without another host.
import { createHash } from 'node:crypto';
import { html, trustedHtml } from '../../page/html.ts';
import { STYLE } from '../../page/style.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { anchorOf, endpointsOf, renderOperation } from './operation.ts';
import { renderSchema } from './schema.ts';
import { renderText } from './text.ts';

/** `openapiPath`: where the description itself is served. */
export function renderPage(document: OpenApiDocument, openapiPath: string): string {
  const { info, servers = [], components = {} } = document;
  const endpoints = endpointsOf(document);
  const links = endpoints.map(
    endpoint =>
      html`<li><a href="#${anchorOf(endpoint)}">${endpoint.operation.summary ?? endpoint.path}</a></li>`,
  );
  const schemes = Object.values(components.securitySchemes ?? {});
  const schemas = Object.entries(components.schemas ?? {});
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
<header>
<h1>${info.title}</h1>
<p>Version ${info.version}, below <code>${servers[0]?.url ?? '/'}</code>, as <a href="${openapiPath}">OpenAPI document</a></p>
</header>
<nav aria-label="Endpoints"><ul>${links}
<li><a href="#schemas">Shapes</a></li></ul></nav>
<main id="main">
${renderText(info.description)}
<h2 id="authentication">Authentication</h2>
${schemes.flatMap(({ description }) => renderText(description))}
<h2 id="endpoints">Endpoints</h2>
${endpoints.map(endpoint => renderOperation(document, endpoint))}
<h2 id="schemas">Shapes</h2>
${schemas.map(([name, schema]) => renderSchema(name, schema))}
</main>
</body>
</html>
`.html;
}

/** Nothing but the page's own style; its hash stands for it. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
