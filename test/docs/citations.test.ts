// Every page and section that code, tests and pages cite is there. Rules are cited as `rules/PAGE.md#anchor`, a short form of
// docs/rules/PAGE.md#anchor; other pages by their path in the repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import test from 'ava';
import { anchorsOf } from '../helpers/anchors.ts';

const FOLDERS = ['src', 'projections', 'schemas', 'scripts', 'test', 'docs', '.ci'];
const TOP = readdirSync('.', { withFileTypes: true }).flatMap(entry =>
  entry.isFile() ? [entry.name] : [],
);
const TEXTS = /(?:\.(?:md|ts|json|yml|sh|mjs|py|grit)|Dockerfile|\/run)$/;
/** Samples of what users bring, and what was served once: their words are not ours. */
const FOREIGN = /(?:-bodies\.json|package-lock\.json)$/;
/** Its own examples are dead on purpose. */
const OWN = 'test/docs/citations.test.ts';

const files = [
  ...TOP,
  ...FOLDERS.flatMap(folder =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap(entry =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    ),
  ),
].filter(path => TEXTS.test(path) && !FOREIGN.test(path) && path !== OWN);

interface Citation {
  readonly place: string;
  readonly path: string;
  readonly anchor: string | null;
}

/** Anything that ends in `.md`, but for addresses of a server and names that a program puts together. */
const CITED = /(?<![\w./:~-])((?:\.{1,2}\/)*[\w][\w./-]*\.md)(?:#([\w-]+))?/g;
const LINK = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g;
/** A name as a whole text: `join(root, 'docs', 'import.md')`. */
const isPartOfPath = (line: string, index: number, text: string) =>
  line[index - 1] === "'" && line[index + text.length] === "'" && !text.includes('/');

function citationsIn(path: string, text: string): Citation[] {
  return text.split('\n').flatMap((line, number) => {
    const place = `${path}:${number + 1}`;
    const found: Citation[] = [];
    for (const { 0: all, 1: cited = '', 2: anchor = null, index } of line.matchAll(CITED)) {
      // The text of a link: the link itself is judged below.
      if (isPartOfPath(line, index, all) || line.startsWith('](', index + all.length)) continue;
      found.push({ place, path: cited, anchor });
    }
    if (!path.endsWith('.md')) return found;
    for (const { 1: linked = '', 2: anchor = null } of line.matchAll(LINK)) {
      found.push({ place, path: linked === '' ? path : join(dirname(path), linked), anchor });
    }
    return found;
  });
}

/** Returns the file that a citation means, null without one: a rule, a path in the repository, or one beside its page. */
function targetOf({ place, path }: Citation): string | null {
  const rule = path.startsWith('rules/') ? [join('docs', path)] : [];
  const isPage = /\.md:\d+$/.test(place);
  const beside = isPage || path.startsWith('.') ? [normalize(join(dirname(place), path))] : [];
  return [...rule, path, ...beside].find(one => existsSync(one)) ?? null;
}

const anchors = new Map<string, readonly string[]>();

function hasAnchor(file: string, anchor: string): boolean {
  const known = anchors.get(file) ?? anchorsOf(readFileSync(file, 'utf8'));
  anchors.set(file, known);
  return known.includes(anchor);
}

/** Returns what is wrong with a citation, null if it leads to a section. */
function problemOf(citation: Citation): string | null {
  const { place, path, anchor } = citation;
  const target = targetOf(citation);
  if (target === null) return `${place}: there is no ${path}`;
  if (anchor !== null && !hasAnchor(target, anchor)) return `${place}: ${path} has no #${anchor}`;
  const isRule = target.startsWith('docs/rules/') && !target.endsWith('README.md');
  const isSource = !/\.md:\d+$/.test(place) && !place.startsWith('test/docs/');
  if (isRule && isSource && anchor === null) return `${place}: ${path} without a rule`;
  return null;
}

const citations = files.flatMap(path => citationsIn(path, readFileSync(path, 'utf8')));

test('every citation leads to a page, and to a section of it', t => {
  t.true(citations.length > 400, `only ${citations.length}`);
  const sources = citations.filter(({ place }) => /^(?:src|projections)\//.test(place));
  t.true(sources.length > 60, `only ${sources.length} in src and projections`);
  t.deepEqual(
    citations.map(problemOf).filter(problem => problem !== null),
    [],
  );
});

test('no text cites a section by a number or a sign', t => {
  const sign = String.fromCodePoint(0xa7);
  const found = files.filter(path => readFileSync(path, 'utf8').includes(sign));
  t.deepEqual(found, []);
});

test('a dead page, a dead section and a rule without a section are found', t => {
  const problems = (path: string, text: string) => citationsIn(path, text).map(problemOf);
  t.deepEqual(problems('src/x.ts', `// (rules/${'law'}.md#law)`), [
    'src/x.ts:1: there is no rules/law.md',
  ]);
  t.deepEqual(problems('src/x.ts', `\n// rules/${'months'}.md#lay`), [
    'src/x.ts:2: rules/months.md has no #lay',
  ]);
  t.deepEqual(problems('src/x.ts', `// rules/${'months'}.md`), [
    'src/x.ts:1: rules/months.md without a rule',
  ]);
  t.deepEqual(problems('src/x.ts', `// (${'months'}.md, rule 5)`), [
    'src/x.ts:1: there is no months.md',
  ]);
  t.deepEqual(problems('docs/x.md', `[x](${'rules'}/months.md#lay)`), [
    'docs/x.md:1: rules/months.md has no #lay',
    'docs/x.md:1: docs/rules/months.md has no #lay',
  ]);
  t.deepEqual(problems('docs/x.md', '[x](#y)'), ['docs/x.md:1: there is no docs/x.md']);
  t.deepEqual(problems('src/x.ts', `// rules/${'months'}.md#law, docs/api.md#limits, '/docs.md'`), [
    null,
    null,
  ]);
});
