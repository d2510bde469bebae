// A section of the page outside of the endpoints.
import { type Html, html } from '../../pages/kit/html.ts';

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
