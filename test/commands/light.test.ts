// Help, completion and --version print texts: what they load has no package in it, neither driver nor logger.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.js');
const IMPORTED = /^(?:import|export) (?:[^;'"]* from )?['"]([^'"]+)['"]/gm;

/** Returns the packages that a compiled module and all that it imports at its top bring, each with who imports it. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file) || file.endsWith('.json')) return [];
  seen.add(file);
  const found: string[] = [];
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(IMPORTED)) {
    if (name.startsWith('.')) found.push(...packagesOf(join(dirname(file), name), seen));
    else if (!name.startsWith('node:')) found.push(`${name} by ${file}`);
  }
  return found;
}

test('the command line loads no package before a command runs', t => {
  const seen = new Set<string>();
  t.deepEqual(packagesOf(MAIN, seen), []);
  t.true(seen.has(join(dirname(MAIN), 'commands', 'budget-delete.js')));
});

test('a package would be found', t => {
  const found = packagesOf(join(dirname(MAIN), 'commands', 'opening', 'process.js'));
  t.true(found.some(one => one.startsWith('pino by ')));
});
