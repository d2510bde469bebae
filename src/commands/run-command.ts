// Runs the command that the command line names, and turns its errors into one clear line and an exit code. Its
// help is made of the commands.
import { readFileSync } from 'node:fs';
import { describeConfig } from '../process/config-variables.ts';
import { explainedLine, reasonOf } from '../process/describe-error.ts';
import { UserError } from '../process/errors.ts';
import { COMMANDS } from './commands.ts';
import type { Command } from './syntax/command.ts';
import {
  commandsOf,
  optionsOf,
  parseCommand,
  unknownCommand,
  usageOf,
} from './syntax/parse-command.ts';
import { print, printError } from './terminal/print.ts';

/** Runs one command. Returns the exit code of the process. */
export async function runCommand(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    return await run(args, env);
  } catch (error) {
    const line = error instanceof UserError ? error.message : unexpectedLine(error, args, env);
    if (line === null) throw error;
    printError(line);
    return error instanceof UserError ? error.exitCode : 1;
  }
}

/** Services whose log tells operators where an error came from. */
const SERVICES = ['start', 'serve', 'project'];

/** Returns one line for an error that no code has explained; null if the log is to have it with its stack. */
function unexpectedLine(error: unknown, [command]: string[], env: NodeJS.ProcessEnv) {
  const isDebugging = env.LOG_LEVEL === 'debug' || env.LOG_LEVEL === 'trace';
  const explained = explainedLine(error);
  if (explained !== null || isDebugging || SERVICES.includes(command ?? '')) return explained;
  return `Stopped by an error that nobody expected: ${reasonOf(error)} (LOG_LEVEL=debug shows where)`;
}

async function run(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [first, ...rest] = args;
  if (first === '--version') {
    print(`budgeting ${versionOf()}`);
  } else if (first === undefined) {
    print(helpText(COMMANDS, []));
    return 2;
  } else if (first === 'help') {
    print(helpText(COMMANDS, rest));
  } else if (asksForHelp(args)) {
    const words = args.filter(arg => !arg.startsWith('-'));
    print(helpText(COMMANDS, words));
  } else {
    const { command, invocation } = parseCommand(COMMANDS, args);
    const { opens } = command;
    if (opens === undefined) {
      await command.run(invocation, COMMANDS);
    } else {
      const { runOpened } = await import('./opening/process.ts');
      await runOpened({ ...command, opens }, invocation, env);
    }
  }
  return 0;
}

/** What follows `--` are operands: an id may be `-h`. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  return options.includes('--help') || options.includes('-h');
}

function versionOf(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).version;
}

/** Words that are no command, and what they print. */
const OTHERS = [
  ['help COMMAND', 'describes a command, as COMMAND --help does'],
  ['help variables', 'lists the environment variables, which are the only configuration'],
  ['--version', 'prints the version'],
] as const;

/**
 * Returns the help for these words of the command line: for none of them one line for each command.
 *
 * @throws UserError for an unknown command
 */
export function helpText(commands: readonly Command[], [word, action]: readonly string[]): string {
  if (word === undefined) return overview(commands);
  if (word === 'variables') return variables();
  const named = commandsOf(commands, word);
  const exact = named.filter(({ name }) => name === `${word} ${action}`);
  if (named.length === 0) throw unknownCommand(commands, word);
  return (exact.length > 0 ? exact : named).map(describe).join('\n\n');
}

function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }) => [name, summary]);
  return ['Usage: budgeting COMMAND …', '', ...aligned(rows), '', ...aligned(OTHERS)].join('\n');
}

function describe(command: Command): string {
  const { summary, details, operands = {}, examples } = command;
  const options = optionsOf(command).map(([option, { value = '', about, repeats }]) => [
    `--${option} ${value}`.trimEnd(),
    repeats ? `${about}; may be repeated` : about,
  ]);
  return [
    `Usage: ${usageOf(command)}`,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ...(details === undefined ? [] : [details]),
    ...section('Arguments', aligned(Object.entries(operands))),
    ...section('Options', aligned(options)),
    ...section(
      'Examples',
      examples.map(example => `  budgeting ${example}`),
    ),
  ].join('\n');
}

function variables(): string {
  const rows = describeConfig().map(({ name, default: byDefault, description, fromFile }) => {
    const value = byDefault === null ? '' : ` (default ${byDefault})`;
    return `  ${name}${fromFile ? ` or ${name}_FILE` : ''}${value}\n      ${description}`;
  });
  return ['Environment', ...rows].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(([name = '']) => name.length));
  return rows.map(([name = '', about = '']) => `  ${name.padEnd(width)}  ${about}`);
}
