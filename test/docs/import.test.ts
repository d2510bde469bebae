// docs/import.md names the options and the limits of the code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { COMMANDS } from '../../src/commands/commands.ts';
import { commandsOf, optionsOf } from '../../src/commands/syntax/parse-command.ts';
import { ROWS_MAX } from '../../src/import/plan.ts';
import { FILE_LIMITS } from '../../src/import/read-files.ts';

const page = readFileSync(join(process.cwd(), 'docs', 'import.md'), 'utf8');

test('the page lists every option of import, and no other', t => {
  const options = (text: string) => [...new Set(text.match(/--[a-z][a-z-]+/g))].sort();
  const names = commandsOf(COMMANDS, 'import')
    .flatMap(optionsOf)
    .map(([name]) => name);
  const known = [...new Set(names)].map(name => `--${name}`).sort();
  t.deepEqual(options(page), known);
  const listed = [...page.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, option]) => option);
  t.deepEqual(listed.sort(), known);
});

test('the limits on the page are those of the code', t => {
  const { archiveBytesMax, fileBytesMax } = FILE_LIMITS;
  t.is(archiveBytesMax, fileBytesMax);
  for (const limit of [fileBytesMax, ROWS_MAX])
    t.true(page.includes(limit.toLocaleString('en-US')));
});
