// The style and the scripts of the page: navigation stands beside the text where there is room, above it elsewhere.
import { CONTROLS_STYLE, STYLE } from '../../pages/kit/style.ts';

export const DOCS_STYLE = `${STYLE}${CONTROLS_STYLE}
body { max-width: 76rem; }
.contents p { margin: 1rem 0 0; font-weight: 700; }
.contents ul { margin: 0.25rem 0 1rem; columns: 9rem; }
.contents li { break-inside: avoid; padding: 0.1rem 0; }
.contents a { text-decoration: none; }
.contents a:hover, .contents a:focus-visible { text-decoration: underline; }
.side { margin-top: 1.5rem; }
.columns main { min-width: 0; }
.columns h1 { margin-top: 1.5rem; }
#search-box label { font-weight: 600; }
main [data-searched] { padding-bottom: 0.25rem; }
main h3 { margin-top: 1.5rem; }
.endpoints h3 { padding-top: 1rem; border-top: 1px solid var(--line); }
.endpoints section:first-child h3 { padding-top: 0; border-top: 0; }
.columns code + code { margin-left: 0; }
.columns .names code + code { margin-left: 0.5em; }
.pairs dd { margin-bottom: 0.4rem; }
.pairs dd p { margin: 0; }
.code { position: relative; margin: 0.5rem 0; }
.code pre { margin: 0; padding-right: 4.75rem; }
.code .wide { white-space: pre; overflow-x: auto; }
.code button { position: absolute; top: 0.4rem; right: 0.4rem; padding: 0.05rem 0.6rem; background: var(--ground); font-size: 0.85rem; }
details { margin: 0.35rem 0; }
.closed { display: flex; flex-wrap: wrap; gap: 0 1.75rem; }
.closed details[open] { flex-basis: 100%; min-width: 0; }
details > :not(summary) { margin-left: 1.1rem; }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); gap: 0.75rem 1.5rem; align-items: start; margin-top: 0.4rem; }
.fields p { margin: 0; }
.fields label { font-weight: 600; }
.fields :is(input, select) { margin-top: 0.15rem; padding: 0.35rem 0.6rem; }
.fields ::placeholder { color: var(--quiet); opacity: 1; }
.fields .hint { display: block; color: var(--quiet); font-size: 0.85rem; }
.answer pre { max-height: 30rem; overflow-y: auto; }
table { border-collapse: collapse; margin: 0.75rem 0; }
th, td { padding: 0.3rem 1rem 0.3rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td:nth-child(2) { white-space: nowrap; }
.names a { display: inline-block; }
ol { padding-left: 1.4rem; }
@media (min-width: 60rem) {
  .columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2.5rem; }
  .side { position: sticky; top: 0; align-self: start; max-height: 100vh; margin: 0; padding: 1.5rem 0.5rem 1rem 0; overflow-y: auto; }
  .contents ul { columns: auto; }
  .pairs { display: grid; grid-template-columns: fit-content(17rem) minmax(0, 1fr); gap: 0.3rem 1.5rem; }
  .pairs dt, .pairs dd { margin: 0; }
}
@media (max-width: 59.99rem) {
  html { scroll-padding-top: 4.5rem; }
  .side { display: contents; }
  #search-box:not([hidden]) { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: center; }
  #search-box input { flex: 1; min-width: 0; margin: 0; padding: 0.3rem 0.6rem; }
  #search-box { position: sticky; top: 0; z-index: 1; padding: 0.5rem 0; border-bottom: 1px solid var(--line); background: var(--ground); }
  td, th { padding-right: 0.6rem; }
}
@media print {
  .side, .code button, [data-try] { display: none; }
  .columns { display: block; }
  details::details-content { display: block; content-visibility: visible; block-size: auto; }
  .code .wide { white-space: pre-wrap; }
  pre, tr, dt { break-inside: avoid; }
  h2, h3, h4, summary, dt { break-after: avoid; }
}
`;

/** Leaves only the sections that contain all words of the search field. Without scripts the field is not shown. */
export const SEARCH_SCRIPT = `
{
  const field = document.getElementById('search');
  const status = document.getElementById('search-status');
  const sections = Array.from(document.querySelectorAll('[data-searched]'), section => ({
    section,
    link: document.querySelector('nav a[href="#' + section.id + '"]').parentElement,
    text: section.textContent.toLowerCase(),
  }));

  function search() {
    const words = field.value.toLowerCase().split(/\\s+/).filter(word => word !== '');
    let found = 0;
    for (const { section, link, text } of sections) {
      const isFound = words.every(word => text.includes(word));
      section.hidden = link.hidden = !isFound;
      if (isFound) found += 1;
    }
    status.textContent = words.length === 0 ? '' : found + ' of ' + sections.length + ' sections';
  }

  // A link to a section that the search hides shows all sections again.
  addEventListener('hashchange', () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target?.closest('[hidden]')) return;
    field.value = '';
    search();
    target.scrollIntoView();
  });
  field.addEventListener('input', search);
  document.getElementById('search-box').hidden = false;
  // A browser keeps what was typed when the page is loaded again.
  search();
}
`;

/** Longer bodies are cut when they are shown: a page of a list has up to some 600,000 characters. */
const SHOWN_CHARACTERS_MAX = 100_000;
/** Longer than any answer may take, one that waits for a position too. */
const TIMEOUT_MS = 30_000;

/** Makes the requests of the forms. The token stays in the fields: it is never stored, and is no part of an address. */
export const TRY_SCRIPT = `
{
  const tokens = document.querySelectorAll('[data-token]');
  for (const token of tokens) {
    token.addEventListener('input', () => {
      for (const other of tokens) other.value = token.value;
    });
  }

  function requestOf(form, pattern) {
    const headers = {};
    const query = new URLSearchParams();
    const token = form.querySelector('[data-token]');
    if (token && token.value !== '') headers.Authorization = 'Bearer ' + token.value.trim();
    let path = pattern;
    for (const { value, dataset } of form.querySelectorAll('[data-name]')) {
      if (dataset.in === 'path') path = path.replace('{' + dataset.name + '}', encodeURIComponent(value));
      else if (value === '') continue;
      else if (dataset.in === 'header') headers[dataset.name] = value;
      else query.append(dataset.name, value);
    }
    return { address: query.size === 0 ? path : path + '?' + query, headers };
  }

  function pretty(text, type) {
    const whole = /json/.test(type) && text !== '' ? JSON.stringify(JSON.parse(text), null, 2) : text;
    if (whole.length <= ${SHOWN_CHARACTERS_MAX}) return whole;
    return whole.slice(0, ${SHOWN_CHARACTERS_MAX}) + '\\n… cut after ${SHOWN_CHARACTERS_MAX} of ' + whole.length + ' characters';
  }

  function show(box, response, text) {
    const rows = box.dataset.headers.split(' ').flatMap(name => {
      const value = response.headers.get(name);
      if (value === null) return [];
      const term = document.createElement('dt');
      const definition = document.createElement('dd');
      term.append(name);
      definition.append(value);
      return [term, definition];
    });
    box.querySelector('.answer dl').replaceChildren(...rows);
    const body = box.querySelector('.answer pre');
    body.firstChild.textContent = pretty(text, response.headers.get('Content-Type') ?? '');
    body.hidden = text === '';
    box.querySelector('.answer').hidden = false;
  }

  async function send(box, form) {
    const status = form.querySelector('[role=status]');
    const { address, headers } = requestOf(form, box.dataset.try);
    status.textContent = 'Waiting for the answer';
    box.querySelector('.answer').hidden = true;
    try {
      const response = await fetch(address, {
        headers,
        cache: 'no-store',
        credentials: 'omit',
        mode: 'same-origin',
        redirect: 'error',
        signal: AbortSignal.timeout(${TIMEOUT_MS}),
      });
      show(box, response, await response.text());
      status.textContent = response.status + ' ' + response.statusText + ' from ' + address;
    } catch (error) {
      status.textContent = 'Expected an answer from ' + address + ', got none: ' + error.message;
    }
  }

  for (const box of document.querySelectorAll('[data-try]')) {
    const form = box.querySelector('form');
    let sending = false;
    form.addEventListener('submit', async event => {
      event.preventDefault();
      if (sending) return;
      sending = true;
      await send(box, form);
      sending = false;
    });
    box.hidden = false;
  }
}
`;
