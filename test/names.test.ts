// Names, which no linter checks: one thing has one name, and the words of names are those of the field.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from './helpers/file-test.ts';
import { sourceFiles } from './helpers/source-files.ts';

const root = process.cwd();
const sources = sourceFiles(root, ['src', 'projections', 'scripts', 'schemas', 'test'])
  .filter(path => !path.startsWith('schemas/generated/'))
  .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const product = sources.filter(({ path }) => /^(?:src|projections|scripts)\//.test(path));

const EXPORT =
  /^export (?:async )?(?:function\*?|const|let|abstract class|class|interface|type|enum) (\w+)/gm;

test('no name is exported by two files', t => {
  const files = new Map<string, Set<string>>();
  for (const { path, text } of product) {
    for (const [, name = ''] of text.matchAll(EXPORT)) {
      files.set(name, (files.get(name) ?? new Set()).add(path));
    }
  }
  t.true(files.size > 1500, `only ${files.size} names`);
  const twice = [...files].filter(([, paths]) => paths.size > 1);
  t.deepEqual(
    twice.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`),
    [],
  );
});

/**
 * Files of one room share no name. Files of different rooms may: a resource is called the same in routes, queries and events,
 * and a command is called as the code that it runs.
 */
const ROOMS = [
  'projections',
  'scripts/bench/figures',
  'src/pages/operators',
  'src/pages/settings',
  'src/store/reading',
  'src/store/writing',
];
/** The two adapters of one port have the same parts. */
const ADAPTERS = ['src/event-log/folder', 'src/event-log/kafka'];

function roomOf(path: string): string {
  const room = [...ROOMS, ...ADAPTERS].find(folder => path.startsWith(`${folder}/`));
  return room ?? path.split('/').slice(0, -1).slice(0, 2).join('/');
}

test('no two files of a room have one name', t => {
  const names = product.map(({ path }) => `${basename(path)} of ${roomOf(path)}`);
  t.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

/** Each has a plain replacement that says what is meant. */
const WORDS = new Set(
  'afresh anew aside asides elsewhere home homes lookout passage settled told whoever whom whomever'.split(
    ' ',
  ),
);
/** As a whole name these say nothing; as a part of a name they may. */
const BARE = new Set(['look', 'Named', 'NOTHING', 'way', 'ways', 'within']);
/** The field says: continue, stall, abandon, skip, time out. */
const VERBS = /go(?:es)?On(?![a-z])|g[ia]ve[ns]?Up|GIVEN_UP|stands?_?still/i;
const DECLARED = /\b(?:function\*?|const|let|class|interface|type|enum) (\w+)/g;

/** Returns the names that the code of a file declares. */
function declared(text: string): string[] {
  const code = text
    .split('\n')
    .filter(line => !/^\s*(?:\/\/|\/?\*)/.test(line))
    .join('\n');
  return [...code.matchAll(DECLARED)].map(([, name = '']) => name);
}

/** Returns the words of a name in lower case. */
function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map(word => word.toLowerCase());
}

function isRiddle(name: string): boolean {
  return BARE.has(name) || VERBS.test(name) || wordsOf(name).some(word => WORDS.has(word));
}

test('names consist of words that a newcomer knows', t => {
  const found = sources.flatMap(({ path, text }) =>
    declared(text)
      .filter(isRiddle)
      .map(name => `${path}: ${name}`),
  );
  t.deepEqual(found, []);
  t.deepEqual(
    ['toldSection', 'elsewhere', 'HOME', 'goesOn', 'giveUpBuild', 'look'].filter(
      name => !isRiddle(name),
    ),
    [],
  );
  t.deepEqual(
    ['homeless', 'goOnline', 'lookUp', 'NOTHING_APPENDED', 'forgiven'].filter(isRiddle),
    [],
  );
});

const QUESTION =
  /^ *(?:export )?(?:async )?function ((?:is|has|may|can|does|was|should|will|would|must|what|where|who|which|when|why|how)[A-Z]\w*)[\s\S]*?\)(?:: ([^\n]*?))? \{$/gm;

test('a name that asks a question returns yes or no', t => {
  const found = sources.flatMap(({ path, text }) =>
    [...text.matchAll(QUESTION)]
      .filter(
        ([, , type = 'boolean']) =>
          !/^(?:boolean|Promise<boolean>|.* is .*|.*=> boolean)$/.test(type),
      )
      .map(([, name, type]) => `${path}: ${name}(): ${type}`),
  );
  t.deepEqual(found, []);
});
