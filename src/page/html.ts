// HTML as tagged templates: what is put in is escaped, unless it is HTML already.

/** Only `html` and `trustedHtml` make it, so that no text of anybody's reaches a page unescaped. */
export interface Html {
  readonly html: string;
  readonly [isHtml]: true;
}

declare const isHtml: unique symbol;

/** What is not there is left out. */
type Part = string | number | Html | null | readonly (Html | null)[];

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = strings.map((text, index) => text + toText(parts[index] ?? null));
  return trustedHtml(pieces.join(''));
}

/** Takes a text of this program as it is. Never one that came from outside. */
export function trustedHtml(text: string): Html {
  return { html: text } as Html;
}

function toText(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return 'html' in part ? part.html : part.map(toText).join('\n');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => ESCAPES[character] ?? character);
}
