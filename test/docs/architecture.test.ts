// docs/architecture.md names files and functions; each of them is there.
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import test from 'ava';
import { sourceFiles } from '../helpers/source-files.ts';

const root = process.cwd();
const page = await readFile(join(root, 'docs/architecture.md'), 'utf8');
const sources = await sourceFiles(root, ['src', 'projections', 'schemas']);

/** Returns the sources whose path ends with a name of the page. */
function filesNamed(name: string): string[] {
  return sources.filter(path => path === name || path.endsWith(`/${name}`));
}

test('every file that the page names exists, and only once', t => {
  const names = new Set([...page.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => name));
  t.true(names.size > 25, `only ${names.size} names`);
  const wrong = [...names].filter(name => {
    const found = filesNamed(name).length;
    // A bare name follows the folder that its paragraph is about.
    return name === basename(name) ? found === 0 : found !== 1;
  });
  t.deepEqual(wrong, []);
});

test('every folder that the page names exists', t => {
  const names = new Set([...page.matchAll(/`((?:[\w-]+\/)+)`/g)].map(([, name = '']) => name));
  const wrong = [...names].filter(name => !sources.some(path => `/${path}`.includes(`/${name}`)));
  t.deepEqual(wrong, []);
});

test('every answer of the questions stands in the file that it names', async t => {
  const rows =
    page
      .slice(page.indexOf('## Ten questions'))
      .match(/^\| .*\|$/gm)
      ?.slice(1) ?? [];
  t.is(rows.length, 10);
  for (const row of rows) {
    const words = [...row.matchAll(/`([\w./-]+)`/g)].map(([, word = '']) => word);
    const files = words.filter(word => word.endsWith('.ts')).flatMap(filesNamed);
    const texts = await Promise.all(files.map(path => readFile(join(root, path), 'utf8')));
    const all = texts.join('\n');
    for (const name of words.filter(word => /^[A-Za-z]+$/.test(word))) {
      if (files.length > 0) t.regex(all, new RegExp(`\\b${name}\\b`), row);
      else {
        const everywhere = await Promise.all(
          sources.map(path => readFile(join(root, path), 'utf8')),
        );
        t.regex(everywhere.join('\n'), new RegExp(`\\b${name}\\b`), row);
      }
    }
  }
});
