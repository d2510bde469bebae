// Renders one endpoint: what it does, a request to copy, its parameters, and what it answers.
import { type Html, html } from '../../pages/kit/html.ts';
import { renderCode, renderPrograms } from './code-block.ts';
import {
  anchorOf,
  type DocumentedEndpoint,
  examplePath,
  isStream,
  parametersOf,
  responsesOf,
} from './endpoints.ts';
import type { OpenApiDocument, Response } from './openapi-document.ts';
import { apiAddress, type DocsPageFacts } from './page-facts.ts';
import {
  curlLine,
  curlStreamLine,
  javaScriptProgram,
  javaScriptStreamProgram,
  pythonProgram,
  pythonStreamProgram,
} from './request-programs.ts';
import { renderEntry, renderShapes, renderType } from './schema.ts';
import { renderText } from './text.ts';
import { renderTryIt } from './try-it.ts';

export function renderEndpoint(facts: DocsPageFacts, endpoint: DocumentedEndpoint): Html {
  const { document } = facts;
  const { path, method, operation } = endpoint;
  const anchor = anchorOf(endpoint);
  const address = apiAddress(facts) + examplePath(document, endpoint);
  const hasEnd = !isStream(document, endpoint);
  const mark = operation.deprecated === true ? html` <strong>Deprecated</strong>` : null;
  return html`<section id="${anchor}" aria-labelledby="title-${anchor}" data-searched>
<h3 id="title-${anchor}"><span class="method">${method.toUpperCase()}</span> <code>${path}</code></h3>
<p><strong>${operation.summary ?? ''}</strong>${mark}</p>
${renderText(operation.description)}
${renderCode({ id: `${anchor}-sh`, language: 'sh', name: `the curl line for ${path}`, text: hasEnd ? curlLine(address) : curlStreamLine(address) })}
<div class="closed">${[
    ...renderPrograms({
      id: anchor,
      name: `the request to ${path}`,
      javaScript: hasEnd ? javaScriptProgram(address) : javaScriptStreamProgram(address),
      python: hasEnd ? pythonProgram(address) : pythonStreamProgram(address),
    }),
    renderParameters(document, endpoint),
    ...responsesOf(document, endpoint).flatMap(([status, response]) =>
      status.startsWith('2') ? renderAnswer(document, anchor, response) : [],
    ),
    // It shows an answer when it is whole.
    hasEnd ? renderTryIt(document, endpoint) : null,
  ]}</div>
<p class="names quiet">Statuses: ${Object.keys(operation.responses).map(
    status => html`<a href="#status-${status}">${status}</a>`,
  )}</p>
</section>`;
}

function renderParameters(document: OpenApiDocument, endpoint: DocumentedEndpoint): Html | null {
  const parameters = parametersOf(document, endpoint);
  if (parameters.length === 0) return null;
  const entries = parameters.map(parameter => {
    const place = `${parameter.in}${parameter.required === true ? ', required' : ''}`;
    const type = html`${renderType(document, parameter.schema)}; ${place}`;
    const { name, description, schema } = parameter;
    return renderEntry({ name, type, description, schema });
  });
  return html`<details><summary>Parameters</summary><dl>${entries}</dl></details>`;
}

function renderAnswer(document: OpenApiDocument, anchor: string, response: Response): Html[] {
  return Object.entries(response.content ?? {}).map(([form, { schema, example }]) => {
    const isJson = form === 'application/json';
    const title = isJson ? 'Answer' : `Answer as ${form}`;
    const language = isJson ? 'json' : 'http';
    const id = `${anchor}-answer-${language}`;
    const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
    return html`<details><summary>${title}</summary>
${schema?.$ref === undefined ? renderText(response.description) : null}
${schema === undefined ? null : renderShapes(document, schema)}
${example === undefined ? null : html`<h4>Example</h4>${renderCode({ id, language, name: 'the example', text })}`}
</details>`;
  });
}
