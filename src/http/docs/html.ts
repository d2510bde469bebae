// HTML as tagged templates: what is put in is escaped, unless it is HTML already.

export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Html[];

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = strings.map((text, index) => {
    const part = parts[index];
    return part === undefined ? text : text + toText(part);
  });
  return { html: pieces.join('') };
}

function toText(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return 'html' in part ? part.html : part.map(one => one.html).join('\n');
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
