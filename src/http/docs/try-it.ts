// Renders the form that makes a request from the page. Without scripts it is not shown. Its fields have no names, so
// that not even a browser that sends it as a form would put the token anywhere.
import { type Html, html } from '../../pages/kit/html.ts';
import { anchorOf, type DocumentedEndpoint, exampleValue, parametersOf } from './endpoints.ts';
import type { OpenApiDocument, Parameter } from './openapi-document.ts';

export function renderTryIt(document: OpenApiDocument, endpoint: DocumentedEndpoint): Html {
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
