// The scripts of the page.

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
