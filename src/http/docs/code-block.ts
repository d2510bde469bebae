// Renders code that a button copies.
import { type Html, html } from '../../pages/kit/html.ts';

export interface Code {
  /** Unique on the page. */
  readonly id: string;
  readonly language: 'http' | 'js' | 'json' | 'python' | 'sh';
  /** What the button copies, such as `the request in Python`. */
  readonly name: string;
  readonly text: string;
}

export function renderCode({ id, language, name, text }: Code): Html {
  // Programs scroll sideways where they are too wide, because their indentation counts; the focus lets a keyboard do so.
  const scrolls = language === 'js' || language === 'python';
  const focus = scrolls ? html` class="wide" tabindex="0" role="group" aria-label="${name}"` : null;
  return html`<div class="code"><pre${focus}><code id="${id}" class="language-${language}">${text}</code></pre>
<button type="button" class="plain" data-copies="${id}" hidden>Copy<span class="unseen"> ${name}</span></button>
<span class="quiet" role="status" id="${id}-status"></span></div>`;
}

export interface Programs {
  /** Begins the ids of both. */
  readonly id: string;
  /** What they do, such as `the first request`. */
  readonly name: string;
  readonly javaScript: string;
  readonly python: string;
}

/** Renders the same program in two languages, closed until one is asked for. */
export function renderPrograms({ id, name, javaScript, python }: Programs): Html[] {
  const code = (language: 'js' | 'python', title: string, text: string) => {
    const block = { id: `${id}-${language}`, language, name: `${name} in ${title}`, text };
    return html`<details><summary>${title}</summary>${renderCode(block)}</details>`;
  };
  return [code('js', 'JavaScript', javaScript), code('python', 'Python', python)];
}
