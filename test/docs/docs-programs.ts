// The blocks of code of the page /docs as a reader copies them.

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

export interface CodeBlock {
  readonly id: string;
  readonly language: string;
  readonly code: string;
}

export function codeBlocksOf(page: string): CodeBlock[] {
  const blocks = page.matchAll(/<code id="([\w-]+)" class="language-(\w+)">(.*?)<\/code>/gs);
  return [...blocks].map(([, id = '', language = '', text = '']) => {
    const code = text.replaceAll(/&[^;]+;/g, entity => ENTITIES[entity] ?? entity);
    return { id, language, code };
  });
}
