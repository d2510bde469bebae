// The table of commands: help, examples and usages agree, and arguments are checked before a server is looked for.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { appendCommand } from '../../../src/commands/append.ts';
import { COMMANDS } from '../../../src/commands/commands.ts';
import { helpText } from '../../../src/commands/run-command.ts';
import {
  commandsOf,
  optionsOf,
  parseArguments,
  parseCommand,
  usageOf,
} from '../../../src/commands/syntax/parse-command.ts';
import { tokenIssueCommand } from '../../../src/commands/token-issue.ts';
import { describeConfig } from '../../../src/process/config-variables.ts';
import { UserError } from '../../../src/process/errors.ts';
import { test } from '../../helpers/file-test.ts';
import { budgeting } from '../started.ts';

const run = promisify(execFile);
/** No server is there. */
const NOWHERE = { MONGODB_URL: 'mongodb://127.0.0.1:1/?replicaSet=rs0', DATA_DIR: '/no/such' };

/** Splits a line as a shell does. */
async function words(line: string): Promise<string[]> {
  const { stdout } = await run('bash', ['-c', `printf '%s\\0' ${line}`]);
  return stdout.split('\0').slice(0, -1);
}

for (const command of COMMANDS) {
  const { name } = command;
  test(`${name}: each example is right, and help shows it`, async t => {
    const help = helpText(COMMANDS, name.split(' '));
    t.true(help.includes(`Usage: ${usageOf(command)}\n`));
    t.true(command.examples.length > 0);
    for (const example of command.examples) {
      t.is(parseCommand(COMMANDS, await words(example)).command.name, name, example);
      t.true(help.includes(`\n  budgeting ${example}`), example);
    }
  });

  test(`${name}: the usage has every option and operand, and help describes them`, t => {
    const { usage, operands = {} } = command;
    const shown = [...usage.matchAll(/--[a-z-]+(?: [A-Z]+(?:[=|][A-Z]+)*)?/g)].map(
      ([option]) => option,
    );
    const known = optionsOf(command).map(([option, { value = '' }]) =>
      `--${option} ${value}`.trim(),
    );
    t.deepEqual([...shown].sort(), [...known].sort());
    const help = helpText(COMMANDS, name.split(' '));
    const described = [...help.matchAll(/^ {2}(--[a-z-]+(?: [A-Z=|]+)?|[A-Z]+) {2,}\S/gm)];
    t.deepEqual(
      described.map(([, first]) => first),
      [...Object.keys(operands), ...known],
    );
    const options = optionsOf(command);
    for (const [option, { required, repeats }] of options) {
      const isAlternative = new RegExp(`\\|--${option}|--${option}[ A-Z]*\\|--`).test(usage);
      if (!isAlternative) t.is(usage.includes(`[--${option}`), !required, option);
      t.is(new RegExp(`\\[--${option} [A-Z=]+\\]…`).test(usage), repeats === true, option);
    }
  });
}

test('--help has one line for each command', async t => {
  const { code, out } = await budgeting(['--help'], {}).ended;
  t.is(code, 0);
  for (const { name, summary } of COMMANDS) {
    const lines = out.split('\n').filter(line => line.startsWith(`  ${name} `));
    t.is(lines.length, 1, name);
    t.true(lines[0]?.endsWith(`  ${summary}`));
  }
});

test('help of a command, of a group and of the variables', async t => {
  const { code, out } = await budgeting(['append', '--help'], {}).ended;
  t.deepEqual([code, out], [0, `${helpText(COMMANDS, ['append'])}\n`]);
  const group = await budgeting(['token', '--help'], {}).ended;
  for (const command of commandsOf(COMMANDS, 'token')) {
    t.true(group.out.includes(usageOf(command)), command.name);
  }
  const variables = await budgeting(['help', 'variables'], {}).ended;
  for (const { name, description } of describeConfig()) {
    t.true(variables.out.includes(`\n  ${name}`), name);
    t.true(variables.out.includes(description), name);
  }
  const unknown = await budgeting(['help', 'strat'], {}).ended;
  t.is(unknown.code, 2);
  t.regex(unknown.err, /got strat; did you mean start\?\n$/);
});

test('--version prints that of package.json', async t => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const { code, out } = await budgeting(['--version'], {}).ended;
  t.deepEqual([code, out], [0, `budgeting ${version}\n`]);
});

for (const [args, message] of [
  ['token issue', 'Expected --user U, got none'],
  ['token issue --user a --user b', 'Expected --user once, got it 2 times'],
  ['token issue --user a --expires-in-days soon', 'Expected --expires-in-days to be'],
  ['token issue --user a --expires-in-days 9999', 'Expected a lifetime of 0 to 365 whole days'],
  ['token issue --user é', 'Expected the id of a user, 1 to 128 characters'],
  ['token issue --user a --budget b/c', 'Expected the id of a budget, 1 to 128 characters'],
  ['token issue --user a --scope all', 'Expected scopes from '],
  ['sign-in --user é', 'Expected the id of a user, 1 to 128 characters'],
  [
    'explain b --at -1',
    "Option '--at' argument is ambiguous.\nWrite --OPTION=VALUE for a value that begins with a dash",
  ],
  ['token list --usr a', "Unknown option '--usr'\nDid you mean --user?"],
  ['token', 'Expected token issue, list or revoke, got nothing'],
  ['append', 'Expected one FILE, got 0'],
  ['append a b', 'Expected one FILE, got 2'],
  ['append a --check --wait', 'Expected --check or --wait, got both'],
  ['verify --sample 1 --budget b', 'Expected --sample or --budget, got both'],
  ['import ynab a', 'Expected --user, --space or --into, got none of them'],
  ['import ynab a --into b --space s', 'Expected --into without --user and --space, got both'],
  ['import ynab a --user u --date-format YMD', 'Expected --date-format DMY or MDY, got YMD'],
  ['import actual a --user u --type Bank', 'Expected --type ACCOUNT=TYPE, got Bank'],
  ['verify --sample 0', 'Expected --sample to be a number of streams from 1, got 0'],
  ['rebuild --budget b --abandon', 'Expected --budget or --abandon, got both'],
  ['rollback now', 'Expected no argument, got 1'],
  ['status --json --json=1', "Option '--json' does not take an argument"],
  ['completion fish', 'Expected bash or zsh, got fish'],
] as const) {
  test(`before a server is looked for: budgeting ${args}`, async t => {
    const error = t.throws(() => parseCommand(COMMANDS, args.split(' ')), {
      instanceOf: UserError,
    });
    t.true(error?.message.startsWith(message), error?.message);
    t.regex(error?.message ?? '', /\nUsage:\nbudgeting /);
  });
}

test('the process says so too, and looks for no server', async t => {
  const { code, out, err } = await budgeting(['token', 'issue'], NOWHERE).ended;
  t.deepEqual([code, out], [1, '']);
  t.is(err, `Expected --user U, got none\nUsage:\n${usageOf(tokenIssueCommand)}\n`);
  const spaced = await budgeting(['token', 'issue', '--user', 'a b'], NOWHERE).ended;
  t.is(spaced.code, 1);
  t.regex(spaced.err, /^Expected the id of a user, .*, got "a b"\nUsage:\n/);
});

test('values come by the names of their options, several as a list', t => {
  const args = ['--user', 'anna', '--budget', 'a', '--budget=b', '--json'];
  t.like(parseArguments(tokenIssueCommand, args), {
    values: { user: 'anna', budget: ['a', 'b'], json: true },
    operands: [],
  });
  t.deepEqual(parseArguments(appendCommand, ['-']).operands, ['-']);
});
