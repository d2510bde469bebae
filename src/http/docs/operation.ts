// Renders one endpoint of the API as a section of the page.
import { type Html, html } from '../../page/html.ts';
import {
  type OpenApiDocument,
  type Operation,
  type Response,
  resolve,
} from './openapi-document.ts';
import { renderEntry, renderType } from './schema.ts';
import { renderText } from './text.ts';

export interface Endpoint {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

export function endpointsOf({ paths }: OpenApiDocument): Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

export function anchorOf({ method, path }: Endpoint): string {
  return `${method}${path.replaceAll(/[^A-Za-z0-9]+/g, '-')}`.replace(/-$/, '');
}

export function renderOperation(document: OpenApiDocument, endpoint: Endpoint): Html {
  const { path, method, operation } = endpoint;
  const anchor = anchorOf(endpoint);
  const mark = operation.deprecated === true ? html` <strong>Deprecated</strong>` : html``;
  return html`<section id="${anchor}" aria-labelledby="title-${anchor}">
<h3 id="title-${anchor}"><span class="method">${method.toUpperCase()}</span> <code>${path}</code></h3>
<p>${operation.summary ?? ''}${mark}</p>
${renderText(operation.description)}
${renderParameters(document, operation)}
<h4>Answers</h4>
<dl>${Object.entries(operation.responses).map(([status, response]) =>
    renderResponse(status, resolve<Response>(document, response)),
  )}</dl>
</section>`;
}

function renderParameters(document: OpenApiDocument, { parameters = [] }: Operation): Html {
  if (parameters.length === 0) return html``;
  const entries = parameters.map(given => {
    const parameter = resolve(document, given);
    const place = `${parameter.in}${parameter.required === true ? ', required' : ''}`;
    const type = html`${renderType(parameter.schema)}; ${place}`;
    return renderEntry({ name: parameter.name, type, schema: parameter });
  });
  return html`<h4>Parameters</h4>
<dl>${entries}</dl>`;
}

function renderResponse(
  status: string,
  { description, headers = {}, content = {} }: Response,
): Html {
  const names = Object.keys(headers).map(name => html`<code>${name}</code>`);
  const bodies = Object.entries(content).map(([form, { schema, example }]) => {
    const isJson = form === 'application/json';
    const named = schema?.$ref === undefined ? html`` : html`<p>Body: ${renderType(schema)}</p>`;
    const type = isJson ? named : html`<p>Body as <code>${form}</code></p>`;
    if (example === undefined) return type;
    const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
    return html`${type}<details><summary>Example</summary><pre><code>${text}</code></pre></details>`;
  });
  return html`<dt><code>${status}</code></dt>
<dd>${renderText(description)}${names.length > 0 ? html`<p class="names">Headers: ${names}</p>` : html``}${bodies}</dd>`;
}
