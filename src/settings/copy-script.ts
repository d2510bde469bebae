// The one script of the settings pages: its buttons copy a text. Without it everything else works.

export const COPY_SCRIPT = `'use strict';
for (const button of document.querySelectorAll('button[data-copies]')) {
  const source = document.getElementById(button.dataset.copies);
  const status = document.getElementById(button.dataset.copies + '-status');
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      status.textContent = 'Copied';
    } catch {
      // Over plain HTTP from another machine there is no clipboard for pages.
      getSelection().selectAllChildren(source);
      status.textContent = 'Selected: copy it with Ctrl+C or Cmd+C';
    }
  });
}
`;
