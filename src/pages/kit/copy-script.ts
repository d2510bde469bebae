// Buttons that copy a text, on the settings pages and on /docs. Without the script the person selects the text.

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
      // Over plain HTTP browsers give no clipboard to pages, except to those of localhost.
      getSelection().selectAllChildren(source);
      status.textContent = 'Selected: copy it with Ctrl+C or Cmd+C';
    }
  });
}
`;
