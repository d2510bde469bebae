// Parses the HTML that this program writes: well-formed, with escaped texts and attributes in double quotes. Pure.

export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
}

/** A text is unescaped. */
export type Node = string | Element;

const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?: [^<>]*)?)>|([^<]+)/g;
const ATTRIBUTE = / ([a-z-]+)(?:="([^"]*)")?/g;
/** Elements without an end tag. */
const VOID = ['input', 'link', 'meta'];

/** @throws Error if an end tag does not fit */
export function parseHtml(text: string): readonly Node[] {
  const root: Open = { tag: '', attributes: {}, children: [] };
  const open = [root];
  for (const [, end, tag = '', attributes = '', words] of text.matchAll(TOKEN)) {
    const parent = open.at(-1) ?? root;
    if (words !== undefined) {
      parent.children.push(unescapeText(words));
    } else if (end === '/') {
      if (open.length === 1 || parent.tag !== tag) {
        throw new Error(`Expected the end of ${parent.tag || 'the text'}, got that of ${tag}`);
      }
      open.pop();
    } else {
      const element = { tag, attributes: attributesOf(attributes), children: [] };
      parent.children.push(element);
      if (!VOID.includes(tag)) open.push(element);
    }
  }
  if (open.length > 1) throw new Error(`Expected the end of ${open.at(-1)?.tag}, got none`);
  return root.children;
}

interface Open extends Element {
  readonly children: Node[];
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, unescapeText(value)]),
  );
}

const CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
};

function unescapeText(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => CHARACTERS[name] ?? '');
}
