// Renders one endpoint: what it does, a request to copy, its parameters, and what it answers.
import { type Html, html } from '../../pages/kit/html.ts';
import { renderCode, renderPrograms } from './code-block.ts';
import {
  anchorOf,
  type DocumentedEndpoint,
  examplePath,
  exampleValue,
  isStream,
  parametersOf,
  responsesOf,
} from './endpoints.ts';
import type { OpenApiDocument, Parameter, Response } from './openapi-document.ts';
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

/**
 * Renders the form that makes a request from the page. Without scripts it is not shown. Its fields have no names, so
 * that not even a browser that sends it as a form would put the token anywhere.
 */
function renderTryIt(document: OpenApiDocument, endpoint: DocumentedEndpoint): Html {
  const anchor = anchorOf(endpoint);
  const fields = parametersOf(document, endpoint).map(parameter => renderField(anchor, parameter));
  const path = (document.servers?.[0]?.url ?? '') + endpoint.path;
  const headers = Object.keys(document.components?.headers ?? {});
  const needsToken = endpoint.operation.security?.length !== 0;
  return html`<details hidden data-try="${path}" data-headers="${['Content-Type', ...headers].join(' ')}"><summary>Try it</summary>
<form>
<div class="fields">${needsToken ? renderToken(anchor) : null}${fields}</div>
<p class="actions"><button>Send<span class="unseen"> the request to ${endpoint.path}</span></button> <span role="status"></span></p>
</form>
<div class="answer" hidden>
<dl class="pairs"></dl>
<pre role="region" tabindex="0" aria-label="Body of the answer from ${endpoint.path}"><code></code></pre>
</div>
</details>`;
}

function renderToken(anchor: string): Html {
  const id = `try-${anchor}-token`;
  return html`<p class="field"><label for="${id}">Token</label>
<input type="password" id="${id}" autocomplete="off" spellcheck="false" data-token aria-describedby="${id}-hint">
<span class="hint" id="${id}-hint">Stays in the memory of this page, and goes to this service only.</span></p>`;
}

function renderField(anchor: string, parameter: Parameter): Html {
  const { name, in: place, required, schema } = parameter;
  const id = `try-${anchor}-${name}`;
  const value = exampleValue(parameter) ?? '';
  const choices = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : null);
  const mark = required === true ? html` <span class="quiet">required</span>` : null;
  const byDefault = schema.default === undefined ? '' : String(schema.default);
  const field =
    choices === null
      ? html`<input id="${id}" value="${value}" placeholder="${byDefault}" autocomplete="off" spellcheck="false" data-name="${name}" data-in="${place}">`
      : html`<select id="${id}" data-name="${name}" data-in="${place}">${['', ...choices].map(choice => html`<option>${choice}</option>`)}</select>`;
  return html`<p class="field"><label for="${id}">${name}${mark}</label>
${field}</p>`;
}
