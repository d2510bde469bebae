// The texts of --help, made of the commands.
import { describeConfig } from '../../process/config-variables.ts';
import type { Command } from './command.ts';
import { commandsOf, optionsOf, unknownCommand, usageOf } from './parse-command.ts';

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
