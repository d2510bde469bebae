// The page of the API: a guide, then its description, as one HTML document and as Markdown. It asks no other host for
// anything, and its script only adds to it.

import { type Html, html, trustedHtml } from '../../pages/kit/html.ts';
import { COPY_SCRIPT, renderSiteBar, selfContainedPolicy } from '../../pages/kit/page-parts.ts';
import { DOCS_STYLE, SEARCH_SCRIPT, TRY_SCRIPT } from './assets.ts';
import { renderEndpoint } from './endpoint-section.ts';
import { anchorOf, endpointsOf } from './endpoints.ts';
import { guideSections } from './guide.ts';
import { apiAddress, type DocsPageFacts } from './page-facts.ts';
import { referenceSections } from './reference-section.ts';
import { renderSection, renderText, type Section } from './text.ts';
import { toMarkdown } from './to-markdown.ts';

export const SCRIPT_PATH = '/docs/page.js';
/** The path of the page as Markdown. */
export const TEXT_PATH = '/docs.md';
export const PAGE_SCRIPT = `${COPY_SCRIPT}${TRY_SCRIPT}${SEARCH_SCRIPT}`;

/** Returns the page as HTML. */
export function renderDocsPage(facts: DocsPageFacts): string {
  const { info } = facts.document;
  const sections = sectionsOf(facts);
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}</title>
<link rel="icon" href="data:,">
<link rel="alternate" type="text/markdown" href="${TEXT_PATH}">
<style>${trustedHtml(DOCS_STYLE)}</style>
<script src="${SCRIPT_PATH}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${renderSiteBar()}
<div class="columns">
<div class="side">
${renderSearch()}
${renderContents(facts, sections)}
</div>
<main id="main" tabindex="-1">
${renderContent(facts, sections)}
</main>
</div>
</body>
</html>
`.html;
}

/** Returns the same content as Markdown. */
export function renderMarkdown(facts: DocsPageFacts): string {
  return toMarkdown(renderContent(facts, sectionsOf(facts)), facts.origin);
}

interface Sections {
  readonly guide: readonly Section[];
  readonly reference: readonly Section[];
}

function sectionsOf(facts: DocsPageFacts): Sections {
  return { guide: guideSections(facts), reference: referenceSections(facts.document) };
}

function renderContent(facts: DocsPageFacts, { guide, reference }: Sections): Html {
  const { document, openapiPath } = facts;
  const { info } = document;
  return html`<h1>${info.title}</h1>
<p>Version ${info.version}, below <code>${apiAddress(facts)}</code>, also as <a href="${openapiPath}">OpenAPI document</a></p>
${renderText(info.description)}
<h2>Guide</h2>
${guide.map(renderSection)}
<h2>Endpoints</h2>
<div class="endpoints">
${endpointsOf(document).map(endpoint => renderEndpoint(facts, endpoint))}
</div>
<h2>Statuses, headers, values</h2>
${reference.map(renderSection)}`;
}

function renderSearch(): Html {
  return html`<search id="search-box" hidden>
<label for="search">Search this page</label>
<input type="search" id="search" autocomplete="off" spellcheck="false">
<span class="quiet" role="status" id="search-status"></span>
</search>`;
}

function renderContents({ document }: DocsPageFacts, { guide, reference }: Sections): Html {
  const links = (sections: readonly Section[]) =>
    sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`);
  const endpoints = endpointsOf(document).map(
    endpoint => html`<li><a href="#${anchorOf(endpoint)}"><code>${endpoint.path}</code></a></li>`,
  );
  return html`<nav class="contents" aria-label="On this page">
<p>Guide</p><ul>${links(guide)}</ul>
<p>Endpoints</p><ul>${endpoints}</ul>
<p>Statuses, headers, values</p><ul>${links(reference)}</ul>
</nav>`;
}

export const DOCS_POLICY = selfContainedPolicy(DOCS_STYLE);
