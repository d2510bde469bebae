// `completion`: what bash itself completes with the script.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { COMMANDS } from '../../src/commands/commands.ts';
import { completionScript } from '../../src/commands/completion.ts';
import { test } from '../helpers/file-test.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Runs the function that bash runs for the Tab key, on the words of a line. */
async function completed(words: readonly string[]): Promise<string[]> {
  const quoted = ['budgeting', ...words].map(word => `'${word}'`).join(' ');
  const script = `${completionScript('bash', COMMANDS)}
complete -p budgeting | grep -q -- '-F _budgeting' || exit 1
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _budgeting
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script]);
  return stdout.trim().split('\n').sort();
}

for (const [line, expected] of [
  ['st', 'start status'],
  ['token ', 'issue list revoke'],
  ['token l', 'list'],
  ['token issue --', '--budget --expires-in-days --help --json --name --scope --user'],
  ['token issue --user anna --b', '--budget'],
  ['import ynab Home.zip --d', '--date-format --dry-run'],
  ['append --', '--check --help --wait'],
  ['serve --', '--help'],
  ['completion ', 'bash zsh'],
  ['nothing --', ''],
] as const) {
  test(`Tab after: budgeting ${line}`, async t => {
    t.is((await completed(line.split(' '))).join(' '), expected);
  });
}

test('an interactive bash completes with the Tab key, files where one is expected', async t => {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, 'bin'));
  const shown = '#!/bin/bash\nprintf "%s\\n" "$*" >> given\n';
  await writeFile(join(folder, 'bin', 'budgeting'), shown, { mode: 0o700 });
  await writeFile(join(folder, 'history.ndjson'), '');
  await writeFile(join(folder, 'completion.bash'), completionScript('bash', COMMANDS));
  const setUp = 'PATH="$PWD/bin:$PATH"; source completion.bash; bind "set bell-style none"';
  const keys = `${setUp}\nbudgeting app\thist\t--ch\t\nexit\n`;
  const bash = promisify(execFile)('bash', ['--norc', '--noprofile', '-i'], {
    cwd: folder,
    env: { ...process.env, HOME: folder, TERM: 'dumb' },
  });
  bash.child.stdin?.end(keys);
  await bash.catch(() => {});
  const { stdout } = await promisify(execFile)('cat', [join(folder, 'given')]);
  t.is(stdout, 'append history.ndjson --check\n');
});

test('the script for zsh loads what runs functions of bash', t => {
  t.is(
    completionScript('zsh', COMMANDS),
    `autoload -U +X bashcompinit && bashcompinit\n${completionScript('bash', COMMANDS)}`,
  );
});
