// Files of pure functions share a few processes: starting one for each would take longer than most of their tests.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** A test that waits could be kept waiting by others in its process. */
const WAITS = /\b(?:async|await|Promise|setTimeout)\b/;

/** Returns whether all tests of a file end before another one begins. */
export function neverWaits(root: string, path: string): boolean {
  return !WAITS.test(readFileSync(join(root, path), 'utf8'));
}

/** From the root; its files are written by each run. */
const GROUPS = join('dist', 'test', 'groups');

/**
 * Writes files that import the given ones in turn, so that neighbours, which are alike, are spread over all processes.
 * Returns their paths from the root.
 *
 * @param root folder of the checkout
 * @param paths compiled files from the root; their tests have different titles
 */
export function groupFiles(
  root: string,
  { paths, groups }: { readonly paths: readonly string[]; readonly groups: number },
): string[] {
  rmSync(join(root, GROUPS), { recursive: true, force: true });
  mkdirSync(join(root, GROUPS), { recursive: true });
  const count = Math.min(groups, paths.length);
  return Array.from({ length: count }, (_, group) => {
    const path = join(GROUPS, `unit-${group + 1}.test.js`);
    const imports = paths
      .filter((_name, index) => index % count === group)
      .map(name => `import '${relative(dirname(path), name)}';\n`);
    writeFileSync(join(root, path), imports.join(''));
    return path;
  });
}
