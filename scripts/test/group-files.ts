// Files share a few processes: starting one for each would take longer than most of their tests.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** A test that waits could be kept waiting by others in its process. */
const WAITS = /\b(?:async|await|Promise|setTimeout)\b/;

/** What the tests of other files would notice, or what notices them: time, the process, servers, hooks, replaced functions. */
const OWN_PROCESS =
  /\b(?:setTimeout|sleep|stall|eventually|performance|process\.env|spawn\w*|execFile|createServer|listen\w*|connect|syncBuiltinESMExports)\b|\btest\.(?:serial|before|after)/;

/** An import that waits delays the tests of those that follow, which ava refuses. */
const TOP_LEVEL_AWAIT = /^(?!\s|.*\basync\b).*\bawait\b/m;

/** Its `test` keeps the tests and hooks of a file apart from those of others. */
const HAS_FILE_TEST = /^import { test } from '[./]+\/helpers\/file-test\.ts';$/m;

/** Such files share a server: most of their tests are over sooner than it starts. */
const FAILS_SERVER = /\buseFailingMongo\(/;

/**
 * - `at once`: all tests of the file end before another one begins
 * - `in turns`: tests wait for files and promises alone, so those of other files may run meanwhile
 * - `file after file`: tests may wait for anything; no other file's run meanwhile
 * - `at one server`: the same, and they let a server fail that is their own
 */
export type Sharing = 'at once' | 'in turns' | 'file after file' | 'at one server';

/** Returns how a file shares its process with others; null if it needs one of its own. */
export function sharingOf(text: string): Sharing | null {
  if (HAS_FILE_TEST.test(text))
    return FAILS_SERVER.test(text) ? 'at one server' : 'file after file';
  if (!WAITS.test(text)) return 'at once';
  return OWN_PROCESS.test(text) || TOP_LEVEL_AWAIT.test(text) ? null : 'in turns';
}

/** Returns the text of a test file of a checkout. */
export function readTestFile(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** From the root; its files are written by each run. */
const GROUPS = join('dist', 'test', 'together');

export interface Grouping {
  /** Begins the names of its files. */
  readonly name: string;
  /** Compiled files from the root; their tests have different titles, or `areApart`. */
  readonly paths: readonly string[];
  readonly groups: number;
  /** Whether they use `file-test.ts`, which learns here which file's tests are declared next. */
  readonly areApart?: boolean;
}

/**
 * Writes files that import the given ones in turn, so that neighbours, which are alike, are spread over all processes.
 * Returns their paths from the root, and removes those of an earlier run.
 */
export function groupFiles(root: string, groupings: readonly Grouping[]): string[] {
  rmSync(join(root, GROUPS), { recursive: true, force: true });
  mkdirSync(join(root, GROUPS), { recursive: true });
  return groupings.flatMap(({ name, paths, groups, areApart = false }) => {
    const count = Math.min(groups, paths.length);
    return Array.from({ length: count }, (_, group) => {
      const path = join(GROUPS, `${name}-${group + 1}.test.js`);
      const imports = paths
        .filter((_name, index) => index % count === group)
        .flatMap(file => (areApart ? [beginningOf(file), file] : [file]))
        .map(file => `import '${relative(dirname(path), file)}';\n`);
      writeFileSync(join(root, path), imports.join(''));
      return path;
    });
  });
}

function beginningOf(path: string): string {
  const test = join('dist', 'test');
  const name = relative(test, path).replace(/\.test\.js$/, '');
  return `${join(test, 'helpers', 'begin-file.js')}?${name}`;
}
