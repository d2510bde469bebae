// The only script of the operators' page: it refreshes the content every 2 s. Without it the browser reloads the page.

export const REFRESH_SCRIPT = `'use strict';
const EVERY_MS = 2000;
const stale = document.getElementById('stale');

// A refresh would drop a text selection and the keyboard focus.
function isInUse(main) {
  const selection = getSelection();
  const selects = selection && !selection.isCollapsed && selection.containsNode(main, true);
  return selects || (main !== document.activeElement && main.contains(document.activeElement));
}

async function refresh() {
  const main = document.getElementById('main');
  if (document.hidden || isInUse(main)) return;
  try {
    const response = await fetch('/', { cache: 'no-store' });
    if (!response.ok) throw new Error(String(response.status));
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    stale.hidden = true;
    // The selection or the focus may have changed during the request.
    if (isInUse(main)) return;
    document.title = page.title;
    main.replaceChildren(...page.getElementById('main').childNodes);
  } catch {
    stale.hidden = false;
  }
}

async function run() {
  await refresh();
  setTimeout(run, EVERY_MS);
}
setTimeout(run, EVERY_MS);
`;
