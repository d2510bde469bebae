// The page of the API: a guide, then its description, as one HTML document and as Markdown. It asks no other host for
// anything, and its script only adds to it.
import { type Html, html, trustedHtml } from '../../pages/kit/html.ts';
import {
  COPY_SCRIPT,
  renderFrame,
  renderSiteBar,
  selfContainedPolicy,
} from '../../pages/kit/page-parts.ts';
import { DOCS_STYLE, SEARCH_SCRIPT, TRY_SCRIPT } from './assets.ts';
import { renderEndpoint } from './endpoint-section.ts';
import { anchorOf, endpointsOf, responsesOf } from './endpoints.ts';
import { guideSections } from './guide.ts';
import type { OpenApiDocument, Response } from './openapi-document.ts';
import { apiAddress, type DocsPageFacts } from './page-facts.ts';
import { renderValues } from './schema.ts';
import { renderSection, renderText, type Section } from './text.ts';
import { toMarkdown } from './to-markdown.ts';

export const SCRIPT_PATH = '/docs/page.js';
/** The path of the page as Markdown. */
export const TEXT_PATH = '/docs.md';
export const PAGE_SCRIPT = `${COPY_SCRIPT}${TRY_SCRIPT}${SEARCH_SCRIPT}`;

export const DOCS_POLICY = selfContainedPolicy(DOCS_STYLE);

/** Returns the page as HTML. */
export function renderDocsPage(facts: DocsPageFacts): string {
  const { info } = facts.document;
  const sections = sectionsOf(facts);
  const head = html`<link rel="alternate" type="text/markdown" href="${TEXT_PATH}">
<style>${trustedHtml(DOCS_STYLE)}</style>
<script src="${SCRIPT_PATH}" defer></script>`;
  const body = html`${renderSiteBar()}
<div class="columns">
<div class="side">
${renderSearch()}
${renderContents(facts, sections)}
</div>
<main id="main" tabindex="-1">
${renderContent(facts, sections)}
</main>
</div>`;
  return renderFrame({ title: info.title, head, body }).html;
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

/** The words for all answers of status 200; each endpoint describes its own. */
const SUCCESS = 'What the endpoint describes under Answer.';

/** Returns what all endpoints share, once: statuses, headers and types of values. */
function referenceSections(document: OpenApiDocument): Section[] {
  const answers = answersOf(document);
  return [
    { id: 'statuses', title: 'Statuses', content: renderStatuses(answers) },
    { id: 'headers', title: 'Headers of answers', content: renderHeaders(document, answers) },
    { id: 'values', title: 'Values', content: renderValues(document) },
  ];
}

interface Answer {
  readonly path: string;
  readonly status: string;
  readonly response: Response;
}

function answersOf(document: OpenApiDocument): Answer[] {
  return endpointsOf(document).flatMap(endpoint =>
    responsesOf(document, endpoint).map(([status, response]) => {
      return { path: endpoint.path, status, response };
    }),
  );
}

function renderStatuses(answers: readonly Answer[]): Html {
  const statuses = statusesOf(answers);
  return html`<dl class="pairs">${statuses.map(status => {
    const first = answers.find(answer => answer.status === status);
    const words = status === '200' ? SUCCESS : first?.response.description;
    return html`<dt id="status-${status}"><code>${status}</code></dt><dd>${renderText(words)}</dd>`;
  })}</dl>
<p>Which endpoint answers which is said at the endpoint. The <a href="#errors">codes</a> of an error say more than its status.</p>`;
}

function renderHeaders({ components = {} }: OpenApiDocument, answers: readonly Answer[]): Html {
  const all = statusesOf(answers);
  return html`<dl class="pairs">${Object.entries(components.headers ?? {}).map(
    ([name, { description, example }]) => {
      const sending = answers.filter(({ response }) => name in (response.headers ?? {}));
      const statuses = statusesOf(sending);
      const links = statuses.map(status => html`<a href="#status-${status}">${status}</a>`);
      const place = statuses.length === all.length ? html`every status` : html`${links}`;
      return html`<dt><code>${name}</code></dt>
<dd>${renderText(description)}<p class="type">On ${place}${renderWithout(sending, answers)}; for example <code>${String(example)}</code></p></dd>`;
    },
  )}</dl>`;
}

function statusesOf(answers: readonly Answer[]): string[] {
  return [...new Set(answers.map(({ status }) => status))];
}

/** Names the endpoints that do not send a header with their 200, if others do. */
function renderWithout(sending: readonly Answer[], answers: readonly Answer[]): Html | null {
  const pathsOf = (some: readonly Answer[]) =>
    some.filter(({ status }) => status === '200').map(({ path }) => path);
  const paths = pathsOf(sending);
  const without = pathsOf(answers).filter(path => !paths.includes(path));
  if (paths.length === 0 || without.length === 0) return null;
  return html`, but not from ${without.map(path => html`<code>${path}</code>`)}`;
}
