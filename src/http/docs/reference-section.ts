// Renders what all endpoints share, once: statuses, headers and types of values.
import { type Html, html } from '../../pages/kit/html.ts';
import { endpointsOf, responsesOf } from './endpoints.ts';
import type { OpenApiDocument, Response } from './openapi-document.ts';
import { renderValues } from './schema.ts';
import { renderText, type Section } from './text.ts';

/** The words for all answers of status 200; each endpoint describes its own. */
const SUCCESS = 'What the endpoint describes under Answer.';

export function referenceSections(document: OpenApiDocument): Section[] {
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
