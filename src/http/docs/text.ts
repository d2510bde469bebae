// Renders sections of the page outside of the endpoints, and the subset of Markdown that descriptions use: paragraphs,
// lists and `code`.
import { type Html, html, trustedHtml } from '../../pages/kit/html.ts';

/** A section of the page outside of the endpoints. */
export interface Section {
  /** Its anchor. */
  readonly id: string;
  readonly title: string;
  readonly content: Html;
}

export function renderSection({ id, title, content }: Section): Html {
  return html`<section id="${id}" aria-labelledby="title-${id}" data-searched>
<h3 id="title-${id}">${title}</h3>
${content}
</section>`;
}

/** Renders the subset of Markdown that descriptions use: paragraphs, lists and `code`. */
export function renderText(text: string | undefined): Html[] {
  if (text === undefined) return [];
  return text.split(/\n{2,}/).map(block => {
    const lines = block.split('\n');
    if (!lines.every(line => line.startsWith('- '))) return html`<p>${renderLine(block)}</p>`;
    const items = lines.map(line => html`<li>${renderLine(line.slice(2))}</li>`);
    return html`<ul>${items}</ul>`;
  });
}

function renderLine(line: string): Html {
  // Every second piece stands between backticks.
  const pieces = line
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
  return trustedHtml(pieces.map(piece => piece.html).join(''));
}
