// docs/recipes.md in parts: its recipes, their scopes and their blocks of code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Block {
  /** Empty for a block without one. */
  readonly language: string;
  readonly code: string;
  /** The name of the file in its first comment, null without one. */
  readonly file: string | null;
}

export interface Recipe {
  readonly title: string;
  readonly scopes: readonly string[];
  readonly blocks: readonly Block[];
}

export const page = readFileSync(join(process.cwd(), 'docs', 'recipes.md'), 'utf8');

export const recipes: readonly Recipe[] = page
  .split(/^## /m)
  .slice(1)
  .map(section => {
    const [title = ''] = section.split('\n');
    const [, named = ''] = /^Scopes: (.*)$/m.exec(section) ?? [];
    const scopes = [...named.matchAll(/\w+:\w+/g)].map(([scope]) => scope);
    return { title, scopes, blocks: blocksOf(section) };
  });

export function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => {
    const [, file = null] = /^(?:#!.*\n)?(?:#|\/\/) ([\w-]+\.\w+)/.exec(code) ?? [];
    return { language, code, file };
  });
}

/** Throws unless the page has this recipe. */
export function recipeOf(title: string): Recipe {
  const recipe = recipes.find(one => one.title === title);
  if (recipe === undefined) throw new Error(`Expected a recipe ${title} on the page, got none`);
  return recipe;
}

/** Returns the code of the only block with this file name or, without one, in this language. */
export function codeOf({ title, blocks }: Recipe, name: string): string {
  const [block, ...others] = blocks.filter(({ file, language }) => (file ?? language) === name);
  if (block === undefined || others.length > 0) {
    throw new Error(
      `Expected one block ${name} in ${title}, got ${others.length + (block ? 1 : 0)}`,
    );
  }
  return block.code;
}
