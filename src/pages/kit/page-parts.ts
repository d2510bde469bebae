// What pages share besides their style: the document around their content, the top bar, buttons that copy, and the content
// policy of a page that contains its style.
import { createHash } from 'node:crypto';
import { type Html, html } from './html.ts';

export interface PageFrame {
  readonly title: string;
  /** Styles, scripts and links, after the icon. */
  readonly head: Html;
  /** After the link that skips to the element `main`. */
  readonly body: Html;
}

/** Returns a whole document. */
export function renderFrame({ title, head, body }: PageFrame): Html {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${body}
</body>
</html>
`;
}

/** The top bar of every page for users of the API: the site's links, and what a page adds. */
export function renderSiteBar(more: Html | null = null): Html {
  return html`<header class="bar">
<nav aria-label="Site"><ul>
<li><a class="home" href="/">Budgeting</a></li>
<li><a href="/settings/tokens">API tokens</a></li>
<li><a href="/docs">API docs</a></li>
</ul></nav>
${more}
</header>`;
}

/** Buttons that copy a text, on the settings pages and on /docs. Without the script the person selects the text. */
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

/** Allows the page's own style and script, its icon, and requests of the script to this service, nothing else. */
export function selfContainedPolicy(style: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "script-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
