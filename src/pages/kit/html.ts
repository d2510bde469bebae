// HTML as tagged templates: inserted text is escaped, inserted `Html` is kept as it is.

/** Only `html` and `trustedHtml` create it, so no text from outside reaches a page unescaped. */
export interface Html {
  readonly html: string;
  readonly [isHtml]: true;
}

declare const isHtml: unique symbol;

/** Null inserts nothing. */
type Part = string | number | Html | null | readonly (Html | null)[];

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = strings.map((text, index) => text + toText(parts[index] ?? null));
  return trustedHtml(pieces.join(''));
}

/** Marks a text of this program as HTML, without escaping. Never pass text from outside. */
export function trustedHtml(text: string): Html {
  return { html: text } as Html;
}

function toText(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return 'html' in part ? part.html : part.map(toText).join('\n');
}

export const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => ESCAPES[character] ?? character);
}
