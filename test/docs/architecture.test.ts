// docs/architecture.md names files and functions; each of them exists.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import test from 'ava';
import { sourceFiles } from '../helpers/source-files.ts';

const root = process.cwd();
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const tests = sourceFiles(root, ['test']).filter(path => path.endsWith('.test.ts'));
const sources = [...sourceFiles(root, ['src', 'projections', 'schemas']), ...tests];

function textOf(paths: readonly string[]): string {
  return paths.map(path => readFileSync(join(root, path), 'utf8')).join('\n');
}

/** Returns the sources whose path ends with this name. */
function filesNamed(name: string): string[] {
  return sources.filter(path => path === name || path.endsWith(`/${name}`));
}

test('every file that the page names exists, and only once', t => {
  const names = new Set([...page.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => name));
  t.true(names.size > 25, `only ${names.size} names`);
  const wrong = [...names].filter(name => {
    const found = filesNamed(name).length;
    // A plain name belongs to the folder of its paragraph.
    return name === basename(name) ? found === 0 : found !== 1;
  });
  t.deepEqual(wrong, []);
});

test('an evening is enough for the files of the reading order', t => {
  const [section = ''] = page.slice(page.indexOf("## An evening's reading order")).split('### ', 1);
  const paths = [...section.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = '']) => path);
  t.true(paths.length > 30, `only ${paths.length} files`);
  const lines = textOf(paths).split('\n').length;
  const [, stated = ''] = /about ([\d,]+) of the lines/.exec(section) ?? [];
  const expected = Number(stated.replace(',', ''));
  t.true(Math.abs(lines - expected) < expected / 10, `${lines} lines, the page says ${expected}`);
  const stages = section.split(/^\d\. /m).slice(1);
  t.is(stages.length, 6);
  for (const stage of stages) {
    const ofStage = [...stage.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = '']) => path);
    const [, number = ''] = /, ([\d,]+) lines\)/.exec(stage) ?? [];
    const [has, says] = [textOf(ofStage).split('\n').length, Number(number.replace(',', ''))];
    t.true(
      Math.abs(has - says) < 100,
      `${has} lines, the page says ${says}: ${stage.slice(0, 40)}`,
    );
  }
});

test('every folder that the page names exists', t => {
  const names = new Set([...page.matchAll(/`((?:[\w-]+\/)+)`/g)].map(([, name = '']) => name));
  const wrong = [...names].filter(name => !sources.some(path => `/${path}`.includes(`/${name}`)));
  t.deepEqual(wrong, []);
});

test('every file that answers a question contains the names of its answer', async t => {
  const rows =
    page
      .slice(page.indexOf('## Ten questions'))
      .match(/^\| .*\|$/gm)
      ?.slice(1) ?? [];
  t.is(rows.length, 10);
  for (const row of rows) {
    const quoted = [...row.matchAll(/`([\w./-]+)`/g)].map(([, text = '']) => text);
    const files = quoted.filter(text => text.endsWith('.ts')).flatMap(filesNamed);
    const all = textOf(files);
    for (const name of quoted.filter(text => /^[A-Za-z]+$/.test(text))) {
      if (files.length > 0) t.regex(all, new RegExp(`\\b${name}\\b`), row);
      else t.regex(textOf(sources), new RegExp(`\\b${name}\\b`), row);
    }
  }
});
