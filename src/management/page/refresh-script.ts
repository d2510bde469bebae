// The one script of the operators' page: it looks again now and then. Without it the browser loads the page anew.

export const REFRESH_SCRIPT = `'use strict';
const EVERY_MS = 2000;
const stale = document.getElementById('stale');

// What somebody reads out of the page, or has gone to by keyboard, stays as it is.
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
    // It may have been taken up meanwhile.
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
