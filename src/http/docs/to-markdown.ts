// Writes a page of this program as Markdown, so that assistants read what people see. Buttons and forms, which need a
// browser, are left out. Pure.
import { ESCAPES, type Html } from '../../pages/kit/html.ts';

/** @param origin completes links to other pages of this service; links within the page become plain text */
export function toMarkdown(page: Html, origin: string): string {
  return `${blocksOf(parseHtml(page.html), origin).join('\n\n')}\n`;
}

const INLINE = ['a', 'code', 'span', 'strong'];
const CONTAINERS = ['div', 'main', 'section'];

function blocksOf(nodes: readonly Node[], origin: string): string[] {
  const blocks: string[] = [];
  let run: Node[] = [];
  const endRun = () => {
    const text = inline(run, origin);
    if (text !== '') blocks.push(text);
    run = [];
  };
  for (const node of nodes) {
    if (typeof node === 'string' || INLINE.includes(node.tag)) {
      run.push(node);
    } else {
      endRun();
      blocks.push(...blockOf(node, origin));
    }
  }
  endRun();
  return blocks;
}

function blockOf(element: Element, origin: string): string[] {
  const { tag, attributes, children } = element;
  if (CONTAINERS.includes(tag)) return blocksOf(children, origin);
  switch (tag) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
      return [`${'#'.repeat(Number(tag.slice(1)))} ${inline(children, origin)}`];
    case 'p': {
      const text = inline(children, origin);
      return text === '' ? [] : [text];
    }
    case 'pre':
      return [fence(element)];
    case 'ul':
    case 'ol':
      return [itemsOf(element, origin).join('\n')];
    case 'dl':
      return [definitionsOf(element, origin).join('\n')];
    case 'table':
      return [tableOf(element, origin)];
    case 'details': {
      // The form that sends a request from the page.
      if (attributes['data-try'] !== undefined) return [];
      const [summary, ...rest] = children;
      if (!isElement(summary, 'summary')) throw new Error('Expected details with a summary first');
      return [`**${inline(summary.children, origin)}**`, ...blocksOf(rest, origin)];
    }
    case 'button':
      return [];
    default:
      throw new Error(`Expected an element that has a form in Markdown, got ${tag}`);
  }
}

function inline(nodes: readonly Node[], origin: string): string {
  return nodes
    .map(node => (typeof node === 'string' ? escapeMarks(node) : inlineOf(node, origin)))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function inlineOf({ tag, attributes, children }: Element, origin: string): string {
  if (tag === 'code') return codeSpan(plain(children));
  const text = spaced(children, inline(children, origin));
  if (tag === 'strong') return `**${text}**`;
  const { href = '' } = attributes;
  if (tag !== 'a' || href.startsWith('#')) return text;
  return `[${text}](${href.startsWith('/') ? origin + href : href})`;
}

/** Puts back the spaces at the ends of an element, which keep it apart from the texts around it. */
function spaced(children: readonly Node[], text: string): string {
  const whole = plain(children);
  return `${/^\s/.test(whole) ? ' ' : ''}${text}${/\s$/.test(whole) ? ' ' : ''}`;
}

function codeSpan(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** These would begin something in Markdown. Inside a word an underscore does not. */
function escapeMarks(text: string): string {
  return text.replaceAll(/[\\`*<[\]|]|(?<!\w)_|_(?!\w)/g, character => `\\${character}`);
}

function plain(nodes: readonly Node[]): string {
  return nodes.map(node => (typeof node === 'string' ? node : plain(node.children))).join('');
}

function fence({ children }: Element): string {
  const [code] = children;
  if (!isElement(code, 'code')) throw new Error('Expected pre with code in it');
  const language = (code.attributes.class ?? '').replace('language-', '');
  return `\`\`\`${language}\n${plain(code.children).trimEnd()}\n\`\`\``;
}

function itemsOf({ tag, children }: Element, origin: string): string[] {
  const items = children.filter(child => isElement(child, 'li'));
  return items.map((item, index) => {
    const mark = tag === 'ol' ? `${index + 1}.` : '-';
    return listItem(mark, blocksOf(item.children, origin));
  });
}

/** A term begins an item, and its definition continues it. */
function definitionsOf({ children }: Element, origin: string): string[] {
  const items: string[] = [];
  let term = '';
  for (const child of children) {
    if (isElement(child, 'dt')) term = inline(child.children, origin);
    if (!isElement(child, 'dd')) continue;
    const [first = '', ...rest] = blocksOf(child.children, origin);
    const isText = !/^(?:[-#|]|```|\d+\. )/.test(first);
    const head = isText && first !== '' ? `${term}: ${first}` : term;
    items.push(listItem('-', [head, ...(isText ? rest : [first, ...rest])]));
  }
  return items;
}

function listItem(mark: string, [first = '', ...rest]: readonly string[]): string {
  const indent = ' '.repeat(mark.length + 1);
  const lines = rest.flatMap(block => block.split('\n').map(line => indent + line));
  return [`${mark} ${first}`, ...lines].join('\n');
}

function tableOf(table: Element, origin: string): string {
  const [head = [], ...body] = rowsOf(table).map(({ children }) =>
    children
      .filter(child => isElement(child, 'th') || isElement(child, 'td'))
      .map(cell => inline((cell as Element).children, origin)),
  );
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...body.map(line)].join('\n');
}

function rowsOf({ children }: Element): Element[] {
  return children.flatMap(child => {
    if (typeof child === 'string') return [];
    return child.tag === 'tr' ? [child] : rowsOf(child);
  });
}

function isElement(node: Node | undefined, tag: string): node is Element {
  return typeof node === 'object' && node.tag === tag;
}

interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
}

/** A text is unescaped. */
type Node = string | Element;

const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?: [^<>]*)?)>|([^<]+)/g;
const ATTRIBUTE = / ([a-z-]+)(?:="([^"]*)")?/g;
/** Elements without an end tag. */
const VOID = ['input', 'link', 'meta'];

/**
 * Parses the HTML that this program writes: well-formed, with escaped texts and attributes in double quotes.
 *
 * @throws Error if an end tag does not fit
 */
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

const CHARACTERS = new Map(
  Object.entries(ESCAPES).map(([character, entity]) => [entity, character]),
);

function unescapeText(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, entity => CHARACTERS.get(entity) ?? '');
}
