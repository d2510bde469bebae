// README, --help and the configuration schema agree.
import { readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { COMMANDS } from '../../src/commands/commands.ts';
import { usageOf } from '../../src/commands/syntax/parse-command.ts';
import { describeConfig } from '../../src/process/config-variables.ts';

const root = process.cwd();
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('README lists every variable with its default and meaning, and no other', t => {
  const expected = describeConfig().map(({ name, default: byDefault, description, fromFile }) => {
    const names = fromFile ? `\`${name}\` or \`${name}_FILE\`` : `\`${name}\``;
    return `| ${names} | ${byDefault === null ? '' : `\`${byDefault}\``} | ${description} |`;
  });
  const listed = readme.split('\n').filter(line => /^\| `[A-Z][A-Z_]+`/.test(line));
  t.deepEqual(listed, expected);
});

test('README lists every command, and no other', t => {
  const expected = COMMANDS.map(usageOf);
  const listed = [...readme.matchAll(/^\| `(budgeting [^`]+)`/gm)].map(([, usage]) => usage);
  t.deepEqual(
    listed.map(usage => usage?.replaceAll('\\|', '|')),
    expected,
  );
});

test('the tree in README is the real tree', async t => {
  const listed = [...readme.matchAll(/^([a-z]+)\/ {2,}\S/gm)].map(([, name]) => name);
  const entries = await readdir(root, { withFileTypes: true });
  const ignored = ['node_modules', 'dist', 'data', 'coverage'];
  const folders = entries
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(entry => entry.name)
    .filter(name => !ignored.includes(name));
  t.deepEqual([...listed].sort(), folders.sort());
});

test('every link of README has a target', async t => {
  for (const [, path = ''] of readme.matchAll(/\]\(([^)#:]+)\)/g)) {
    await t.notThrowsAsync(readFile(join(root, path)), path);
  }
});

test('the build makes the command executable, as npx does only in a folder that is new to it', async t => {
  const { bin, scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  t.true(scripts.build.endsWith(` && chmod +x ${bin.budgeting}`));
  t.is((await stat(bin.budgeting)).mode & 0o111, 0o111);
});
